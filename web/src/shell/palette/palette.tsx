import { Modal } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { closePalette, isPaletteOpen, onPaletteChange } from './open-palette.ts'
import classes from './palette.module.css'
import { paletteText } from './palette.text.ts'
import { PaletteDialog } from './palette-dialog.tsx'

/** The command palette: look an IOC up, go somewhere, do something, all from the keyboard. */
export function Palette() {
  const open = useSyncExternalStore(onPaletteChange, isPaletteOpen)
  return (
    <Modal.Root
      opened={open}
      onClose={closePalette}
      size={640}
      yOffset="11dvh"
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes['content'] ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={paletteText.title}>
        <Modal.Body p={0}>{open && <PaletteDialog onClose={closePalette} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
