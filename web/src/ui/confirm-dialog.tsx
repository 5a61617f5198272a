import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { ReasonButton } from './reason-button.tsx'
import { uiText } from './ui.text.ts'

export type ConfirmDialogProps = {
  open: boolean
  title: string
  /** What will happen, in words. */
  children: ReactNode
  confirmLabel: string
  danger?: boolean | undefined
  busy?: boolean | undefined
  /** When given, this text must be typed first. */
  typeToConfirm?: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an act that is hard to take back. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  danger = false,
  busy = false,
  typeToConfirm,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  useEffect(() => {
    if (open) setTyped('')
  }, [open])
  const ready = typeToConfirm === undefined || typed.trim() === typeToConfirm
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready && !busy) onConfirm()
  }
  return (
    <Modal opened={open} onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': uiText.close }}>
      <form onSubmit={submit}>
        {children}
        {typeToConfirm !== undefined && (
          <TextInput
            mt="sm"
            data-autofocus
            autoComplete="off"
            label={uiText.dialogTypeName(typeToConfirm)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={onClose}>
            {uiText.cancel}
          </Button>
          <ReasonButton
            type="submit"
            loading={busy}
            disabledReason={ready ? true : uiText.typeFirst(typeToConfirm)}
            {...(danger ? { color: 'red.9' } : {})}
          >
            {confirmLabel}
          </ReasonButton>
        </Group>
      </form>
    </Modal>
  )
}
