import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type DeletionCounts, deletionCountsQuery, type Source, useDeleteFeed } from '../../api/feeds.ts'
import { toProblem } from '../../api/problem.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import classes from './sources.module.css'
import { sourcesText } from './sources.text.ts'

const text = sourcesText.deletion

/** Some of the values that would go, and how many would not. */
function Examples({ counts }: { counts: DeletionCounts }) {
  return (
    <div className={classes['orphans']}>
      <p className="svc-dim">{text.examples}</p>
      <ul>
        {counts.examples.map(({ indicator_id, value }) => (
          <li key={indicator_id} className="svc-mono">
            {value}
          </li>
        ))}
      </ul>
      {counts.kept > 0 && <p className="svc-dim">{text.kept(counts.kept)}</p>}
    </div>
  )
}

/** Says what a deletion takes along, and asks for the name before it is done. */
export function DeleteDialog({
  source,
  onClose,
  onDeleted,
}: {
  /** Undefined closes the dialog. */
  source: Pick<Source, 'id' | 'name'> | undefined
  onClose: () => void
  onDeleted: () => void
}) {
  // While the dialog fades out, it still shows what it asked.
  const last = useRef(source)
  if (source !== undefined) last.current = source
  const shown = source ?? last.current
  const id = source?.id
  const [purge, setPurge] = useState(false)
  const counts = useQuery({ ...deletionCountsQuery(id ?? ''), enabled: id !== undefined })
  const deletion = useDeleteFeed()
  const { reset } = deletion
  useEffect(() => {
    if (id === undefined) return
    setPurge(false)
    reset()
  }, [id, reset])
  if (shown === undefined) return null
  const onConfirm = () =>
    deletion.mutate(
      { id: shown.id, purge },
      {
        onSuccess: ({ orphans }) => {
          notifyDone(text.done(shown.name, orphans))
          onDeleted()
        },
      },
    )
  const orphans = counts.data?.orphans ?? 0
  return (
    <ConfirmDialog
      open={source !== undefined}
      title={text.title(shown.name)}
      confirmLabel={text.confirm}
      danger
      busy={deletion.isPending}
      typeToConfirm={shown.name}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <div className={classes['deletion']}>
        {counts.isError && <ProblemNotice problem={toProblem(counts.error)} onRetry={() => void counts.refetch()} />}
        <p role="status">{counts.data === undefined ? text.counting : text.listed(counts.data.listed)}</p>
        <p className="svc-dim">{text.stays}</p>
        {counts.data !== undefined &&
          (orphans === 0 ? (
            <p className="svc-dim">{text.noOrphans}</p>
          ) : (
            <Checkbox checked={purge} label={text.orphans(orphans)} onChange={(event) => setPurge(event.currentTarget.checked)} />
          ))}
        {counts.data !== undefined && counts.data.examples.length > 0 && <Examples counts={counts.data} />}
        {deletion.isError && <ProblemNotice problem={toProblem(deletion.error)} />}
      </div>
    </ConfirmDialog>
  )
}
