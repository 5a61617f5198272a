import { ActionIcon, Popover } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { logout, useCurrentUser } from '../api/session.ts'
import classes from './menu.module.css'
import { shellText } from './shell.text.ts'

/** Who is logged in, with which role, and the way out. */
export function UserMenu() {
  const user = useCurrentUser()
  const label = user === undefined ? shellText.account : shellText.accountOf(user.username)
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon size={32} aria-label={label} title={label}>
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes['panel'] ?? ''}>
        {user !== undefined && (
          <div className={classes['who']}>
            <p className={classes['name']}>{user.username}</p>
            <p className={classes['role']}>{shellText.role[user.role]}</p>
          </div>
        )}
        <button type="button" className={classes['item']} onClick={logout}>
          <IconLogout size={16} aria-hidden />
          {shellText.logout}
        </button>
      </Popover.Dropdown>
    </Popover>
  )
}
