import { ActionIcon, Popover } from '@mantine/core'
import { IconDevices, IconKey, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../api/session.ts'
import { logOut } from './log-out.ts'
import classes from './menu.module.css'
import { paths } from './paths.ts'
import { shellText } from './shell.text.ts'

/** Who is logged in, with which role, what belongs to the account, and the way out. */
export function UserMenu() {
  const user = useCurrentUser()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const label = user === undefined ? shellText.account : shellText.accountOf(user.username)
  return (
    <Popover position="bottom-end" trapFocus returnFocus opened={open} onChange={setOpen}>
      <Popover.Target>
        <ActionIcon size={32} aria-label={label} title={label} onClick={() => setOpen(!open)}>
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
        <Link to={paths.accountSessions} className={classes['item']} onClick={close}>
          <IconDevices size={16} aria-hidden />
          {shellText.sessions}
        </Link>
        <Link to={paths.accountPassword} className={classes['item']} onClick={close}>
          <IconKey size={16} aria-hidden />
          {shellText.changePassword}
        </Link>
        <button type="button" className={classes['item']} onClick={logOut}>
          <IconLogout size={16} aria-hidden />
          {shellText.logout}
        </button>
      </Popover.Dropdown>
    </Popover>
  )
}
