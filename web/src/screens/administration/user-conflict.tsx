import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { User } from '../../api/users.ts'
import { Callout } from '../../ui/callout.tsx'
import { usersText } from './administration.text.ts'

const text = usersText.conflict

/** Says what someone else changed since the dialog was opened. */
export function UserConflict({ base, newer, onGoOn }: { base: User; newer: User; onGoOn: () => void }) {
  const { names } = usersText.drawer
  const changes = [
    ...(base.role === newer.role ? [] : [text.from(names.role, usersText.role[base.role], usersText.role[newer.role])]),
    ...(base.status === newer.status ? [] : [text.from(names.status, usersText.status[base.status], usersText.status[newer.status])]),
    ...(base.email === newer.email
      ? []
      : [text.from(names.email, base.email ?? usersText.drawer.none, newer.email ?? usersText.drawer.none)]),
  ]
  return (
    <Callout tone="warning" role="alert" icon={<IconUsers size={16} aria-hidden />} title={text.title}>
      {changes.length === 0 ? (
        <p>{text.unchanged}</p>
      ) : (
        <>
          <p>{text.what}</p>
          <ul>
            {changes.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      <Button variant="default" onClick={onGoOn}>
        {text.goOn}
      </Button>
    </Callout>
  )
}
