import type { User } from '../../api/users.ts'
import type { DataColumn } from '../../ui/data-table.types.ts'
import { StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './administration.module.css'
import { count, usersText } from './administration.text.ts'

const names = usersText.columns

/** Columns of the account list. @param ownId the reader's own account */
export function userColumns(ownId: string | undefined): readonly DataColumn<User>[] {
  return [
    {
      id: 'name',
      header: names.name,
      lead: true,
      cell: (row) => (
        <span className={classes['name']}>
          <b title={row.username}>{row.username}</b>
          {row.id === ownId && <span className={classes['mark']}>{usersText.you}</span>}
        </span>
      ),
    },
    { id: 'role', header: names.role, width: '116px', cell: (row) => usersText.role[row.role] },
    { id: 'status', header: names.status, width: '112px', cell: (row) => <UserStatus status={row.status} /> },
    { id: 'last_login', header: names.lastLogin, width: '112px', cell: (row) => <TimeText value={row.last_login_at} /> },
    {
      id: 'sessions',
      header: names.sessions,
      width: '84px',
      align: 'end',
      drop: 3,
      cell: (row) => count(row.active_sessions),
    },
    {
      id: 'email',
      header: names.email,
      width: '240px',
      drop: 2,
      cell: (row) => row.email ?? <span className="svc-dim">{usersText.drawer.none}</span>,
    },
    { id: 'created', header: names.created, width: '112px', wideOnly: true, cell: (row) => <TimeText value={row.created_at} /> },
  ]
}

export function UserStatus({ status }: { status: User['status'] }) {
  return <StateWord state={status === 'ACTIVE' ? 'ok' : 'off'} word={usersText.status[status]} />
}
