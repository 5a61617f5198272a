import { Button, NativeSelect } from '@mantine/core'
import { IconFilterOff, IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { useCurrentUser } from '../../api/session.ts'
import { ROLES, type User, useChangeUser, usersQuery } from '../../api/users.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { ButtonKey } from '../../ui/button-key.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { notifyDone, notifyProblem } from '../../ui/notify.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { stepsThrough } from '../../ui/steps-through.ts'
import { TextFilter } from '../../ui/text-filter.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { administrationText, usersText as text } from './administration.text.ts'
import { AdministrationFrame } from './administration-frame.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { type Secret, SecretDialog } from './secret-dialog.tsx'
import { userColumns } from './user-columns.tsx'
import { UserConfirm } from './user-confirm.tsx'
import { UserDrawer } from './user-drawer.tsx'
import { filterUsers, isFiltered, isLastAdmin, NO_USER_FILTERS, parseUsersSearch, STATUSES, type UsersSearch } from './users.search.ts'

/** Every account; one opens beside the list. */
export function UsersScreen() {
  return (
    <AdministrationFrame tab={administrationText.tabs.users}>
      <Users />
    </AdministrationFrame>
  )
}

function Users() {
  const [search, change] = useSearchState(parseUsersSearch)
  const { data: users, error, isFetching, refetch } = useQuery(usersQuery)
  const own = useCurrentUser()
  const [secret, setSecret] = useState<Secret>()
  const onEnable = useEnable()
  const rows = users === undefined ? undefined : filterUsers(users, search)
  const problem = error === null ? undefined : toProblem(error)
  const open = users?.find(({ id }) => id === search.open)
  const closeDialog = () => change({ dialog: undefined })
  const add = () => change({ dialog: 'create' })
  usePageKeys({ n: add })
  const isLast = open !== undefined && users !== undefined && isLastAdmin(open, users)
  const isOwn = open !== undefined && open.id === own?.id
  const act = search.dialog === 'disable' || search.dialog === 'reset' || search.dialog === 'revoke' ? search.dialog : undefined

  return (
    <>
      <UsersFilters search={search} onChange={change}>
        <span aria-live="polite">
          {users !== undefined &&
            rows !== undefined &&
            (isFiltered(search) ? text.shown(rows.length, users.length) : text.total(users.length))}
        </span>
        <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {text.add}
          <ButtonKey keys="n" />
        </Button>
      </UsersFilters>
      {problem !== undefined && rows !== undefined && <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
      <DataTable
        label={text.title}
        columns={userColumns(own?.id)}
        rows={rows}
        rowId={({ id }) => id}
        rowLabel={({ username }) => username}
        openId={search.open}
        onOpen={({ id }) => change({ open: id })}
        copyText={({ username }) => username}
        isMuted={({ status }) => status === 'DISABLED'}
        refreshing={isFetching}
        skeletonRows={6}
        problem={problem === undefined ? undefined : <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
        empty={<UsersEmpty filtered={isFiltered(search)} onClear={() => change(NO_USER_FILTERS)} />}
      />
      <UserDrawer
        openId={search.open}
        user={open}
        loaded={users !== undefined}
        busy={search.dialog !== undefined || secret !== undefined}
        isOwn={isOwn}
        isLastAdmin={isLast}
        onClose={() => change({ open: undefined })}
        onStep={stepsThrough(rows?.map(({ id }) => id) ?? [], search.open, (id) => change({ open: id }, { replace: true }))}
        onAct={(dialog) => change({ dialog })}
        onEnable={onEnable}
      />
      <CreateDialog
        open={search.dialog === 'create'}
        onClose={closeDialog}
        onCreated={(user, password) => {
          notifyDone(text.create.done(user.username))
          change({ dialog: undefined })
          if (password !== null) setSecret({ username: user.username, password })
        }}
      />
      <RoleDialog user={search.dialog === 'role' && !isLast ? open : undefined} isOwn={isOwn} onClose={closeDialog} />
      <UserConfirm
        act={(act === 'disable' && isLast) || (act === 'reset' && isOwn) ? undefined : act}
        user={open}
        isOwn={isOwn}
        onClose={closeDialog}
        onPassword={(user, password) => setSecret({ username: user.username, password })}
      />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </>
  )
}

type UsersFiltersProps = {
  search: UsersSearch
  onChange: (change: UsersSearch, options?: { replace?: boolean }) => void
  children: ReactNode
}

function UsersFilters({ search, onChange, children }: UsersFiltersProps) {
  const words = text.filters
  return (
    <FilterBar onClear={isFiltered(search) ? () => onChange(NO_USER_FILTERS) : undefined} end={children}>
      <TextFilter
        main
        live
        label={words.text}
        clearLabel={words.clearText}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q }, { replace: true })}
      />
      <NativeSelect
        size="xs"
        aria-label={words.role}
        value={search.role ?? ''}
        data={[{ value: '', label: words.anyRole }, ...ROLES.map((role) => ({ value: role as string, label: text.role[role] }))]}
        onChange={({ currentTarget: { value } }) => onChange({ role: ROLES.find((role) => role === value) })}
      />
      <NativeSelect
        size="xs"
        aria-label={words.status}
        value={search.status ?? ''}
        data={[
          { value: '', label: words.anyStatus },
          ...STATUSES.map((status) => ({ value: status as string, label: text.status[status] })),
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ status: STATUSES.find((status) => status === value) })}
      />
    </FilterBar>
  )
}

function UsersEmpty({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered)
    return (
      <EmptyState
        icon={<IconUsers size={20} aria-hidden />}
        title={text.empty.nothing}
        description={text.empty.nothingNext}
        command={text.empty.command}
      />
    )
  return (
    <EmptyState
      icon={<IconFilterOff size={20} aria-hidden />}
      title={text.empty.noMatch}
      description={administrationText.noMatchNext}
      actions={
        <Button variant="default" onClick={onClear}>
          {administrationText.clear}
        </Button>
      }
    />
  )
}

function useEnable(): (user: User) => void {
  const { mutate } = useChangeUser()
  return ({ id, username, version }) =>
    mutate(
      { id, change: { version, status: 'ACTIVE' } },
      {
        onSuccess: () => notifyDone(text.enabled(username)),
        onError: (error) => notifyProblem(toProblem(error)),
      },
    )
}
