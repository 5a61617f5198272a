import { Button, Modal } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { copyText } from '../../ui/copy-text.ts'
import { FormEnd } from '../../ui/form-end.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { uiText } from '../../ui/ui.text.ts'
import classes from './administration.module.css'
import { usersText } from './administration.text.ts'

const text = usersText.secret

export type Secret = { username: string; password: string }

/** Shows a generated password once; it leaves only by its own button, since it cannot be shown again. */
export function SecretDialog({ secret, onClose }: { secret: Secret | undefined; onClose: () => void }) {
  // The name alone outlives the dialog while it fades out.
  const name = useRef('')
  if (secret !== undefined) name.current = secret.username
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={text.title(name.current)}
      size={480}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {secret !== undefined && <SecretBody password={secret.password} onClose={onClose} />}
    </Modal>
  )
}

function SecretBody({ password, onClose }: { password: string; onClose: () => void }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    const done = await copyText(password)
    setCopied(done)
    if (!done) notifyDone(uiText.copyFailed)
  }
  const Icon = copied ? IconCheck : IconCopy
  return (
    <div className={classes['question']}>
      <p>{text.once}</p>
      <div className={classes['secret']}>
        <output aria-label={text.label} className="svc-mono">
          {password}
        </output>
        <Button data-autofocus leftSection={<Icon size={14} aria-hidden />} onClick={() => void copy()}>
          {copied ? text.copied : text.copy}
        </Button>
      </div>
      <p className="svc-dim">
        {text.next} {text.lost}
      </p>
      <FormEnd>
        <Button variant="default" onClick={onClose}>
          {text.close}
        </Button>
      </FormEnd>
    </div>
  )
}
