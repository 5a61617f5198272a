import { IconDevices } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OwnSession, ownSessionsQuery, useEndSessions } from '../../api/account.ts'
import { toProblem } from '../../api/problem.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { DataColumn } from '../../ui/data-table.types.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { notifyDone, notifyProblem } from '../../ui/notify.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './account.module.css'
import { accountText } from './account.text.ts'
import { AccountFrame } from './account-frame.tsx'
import { deviceWords } from './device-words.ts'

const text = accountText.sessions

/** Where the reader is logged in, and how to end that. */
export function SessionsScreen() {
  return (
    <AccountFrame tab={accountText.tabs.sessions}>
      <Sessions />
    </AccountFrame>
  )
}

function Sessions() {
  const { data: sessions, error, refetch } = useQuery(ownSessionsQuery)
  const { mutate, isPending } = useEndSessions()
  const [asking, setAsking] = useState(false)
  const others = sessions?.filter(({ current }) => !current).map(({ id }) => id) ?? []
  const end = (ids: readonly string[], done: string) =>
    mutate(ids, {
      onSuccess: () => notifyDone(done),
      onError: (refusal) => notifyProblem(toProblem(refusal)),
      onSettled: () => setAsking(false),
    })
  return (
    <>
      <div className={classes['intro']}>
        <p>{text.intro}</p>
        <ReasonButton
          variant="default"
          disabledReason={sessions !== undefined && others.length === 0 ? text.noOthers : true}
          onClick={() => setAsking(true)}
        >
          {text.endOthers}
        </ReasonButton>
      </div>
      <DataTable
        label={text.title}
        columns={columns((session) => end([session.id], text.ended), isPending)}
        rows={sessions}
        rowId={({ id }) => id}
        rowLabel={deviceOf}
        skeletonRows={3}
        problem={error === null ? undefined : <ProblemNotice problem={toProblem(error)} onRetry={() => void refetch()} />}
        empty={<EmptyState icon={<IconDevices size={20} aria-hidden />} title={text.none} description={text.noneNext} />}
      />
      <ConfirmDialog
        open={asking}
        title={text.othersTitle}
        confirmLabel={text.endOthers}
        danger
        busy={isPending}
        onConfirm={() => end(others, text.othersDone(others.length))}
        onClose={() => setAsking(false)}
      >
        <p className={classes['question']}>{text.othersWhat(others.length)}</p>
      </ConfirmDialog>
    </>
  )
}

function columns(onEnd: (session: OwnSession) => void, busy: boolean): readonly DataColumn<OwnSession>[] {
  const names = text.columns
  return [
    {
      id: 'device',
      header: names.device,
      lead: true,
      cell: (row) => (
        <span className={classes['device']}>
          <span className={classes['deviceName']} title={row.user_agent ?? undefined}>
            {deviceOf(row)}
          </span>
          {row.current && <StateWord state="ok" word={text.current} />}
        </span>
      ),
    },
    {
      id: 'address',
      header: names.address,
      width: '220px',
      drop: 2,
      cell: ({ client_ip: address }) =>
        address === null ? (
          <span className="svc-dim">{text.unknownAddress}</span>
        ) : (
          <span className="svc-mono" title={address}>
            {address}
          </span>
        ),
    },
    { id: 'began', header: names.began, width: '110px', drop: 3, cell: (row) => <TimeText value={row.created_at} /> },
    { id: 'last_used', header: names.lastUsed, width: '110px', cell: (row) => <TimeText value={row.last_used_at} /> },
    { id: 'ends', header: names.ends, width: '110px', drop: 1, cell: (row) => <TimeText value={row.expires_at} /> },
    {
      id: 'act',
      header: names.act,
      width: '92px',
      align: 'end',
      cell: (row) => (
        <ReasonButton
          size="compact-xs"
          variant="default"
          aria-label={text.endOf(deviceOf(row))}
          disabledReason={row.current ? text.endThis : true}
          onClick={() => {
            if (!busy) onEnd(row)
          }}
        >
          {text.end}
        </ReasonButton>
      ),
    },
  ]
}

function deviceOf({ user_agent }: OwnSession): string {
  return deviceWords(user_agent) ?? text.unknownDevice
}
