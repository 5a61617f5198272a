import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { Feed } from '../../api/feeds.ts'
import { ActionRow } from '../../ui/action-row.tsx'
import { Callout } from '../../ui/callout.tsx'
import { changedFields, draftOf } from './feed-draft.ts'
import { draftWords, sourcesText } from './sources.text.ts'

const text = sourcesText.conflict

/** Says what someone else changed since the form was opened, and lets the reader choose. */
export function ConflictNotice({ base, newer, onResolve }: { base: Feed; newer: Feed; onResolve: (answer: 'drop' | 'keep') => void }) {
  const before = draftOf(base)
  const after = draftOf(newer)
  const differing = changedFields(before, after)
  return (
    <Callout tone="warning" icon={<IconUsers size={16} aria-hidden />} title={text.title}>
      {differing.length === 0 ? (
        <p>{text.unchanged}</p>
      ) : (
        <>
          <p>{text.what}</p>
          <ul>
            {differing.map((field) => (
              <li key={field}>
                {sourcesText.dialog.fields[field]}: {text.from(draftWords(before, field), draftWords(after, field))}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>{text.kept}</p>
      <ActionRow>
        <Button onClick={() => onResolve('keep')}>{text.keep}</Button>
        <Button variant="default" title={text.loadHint} onClick={() => onResolve('drop')}>
          {text.load}
        </Button>
      </ActionRow>
    </Callout>
  )
}
