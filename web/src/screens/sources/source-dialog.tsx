import { Modal } from '@mantine/core'
import { useRef } from 'react'
import type { Feed } from '../../api/feeds.ts'
import { uiText } from '../../ui/ui.text.ts'
import { SourceForm } from './source-form.tsx'
import { sourcesText } from './sources.text.ts'

export type SourceDialogProps = {
  /** A new source, one to change, or undefined while it is closed. */
  mode: 'add' | Feed | undefined
  onClose: () => void
  onAdded: (feed: Feed) => void
}

/** Adds a source, or changes one; a test shows what would be read before anything is saved. */
export function SourceDialog({ mode, onClose, onAdded }: SourceDialogProps) {
  // While the dialog fades out, it still shows what it held. The list is renewed meanwhile, but the form keeps the version it began with.
  const began = useRef<'add' | Feed | undefined>(undefined)
  const key = idOf(mode)
  if (mode !== undefined && key !== idOf(began.current)) began.current = mode
  const shown = began.current
  return (
    <Modal
      opened={mode !== undefined}
      onClose={onClose}
      title={shown === undefined || shown === 'add' ? sourcesText.dialog.addTitle : sourcesText.dialog.editTitle(shown.name)}
      size={760}
      // A click beside it must not throw a half-written form away.
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': uiText.close }}
      onExitTransitionEnd={() => {
        began.current = undefined
      }}
    >
      {shown !== undefined && (
        <SourceForm key={idOf(shown)} feed={shown === 'add' ? undefined : shown} onClose={onClose} onAdded={onAdded} />
      )}
    </Modal>
  )
}

function idOf(mode: 'add' | Feed | undefined): string | undefined {
  return mode === undefined || mode === 'add' ? mode : mode.id
}
