import { ActionIcon, Menu } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { logout, useCurrentUser } from '../api/session.ts'
import { shellText } from './shell.text.ts'

/** Who is logged in, with which role, and the way out. */
export function UserMenu() {
  const user = useCurrentUser()
  const label = user === undefined ? shellText.account : shellText.accountOf(user.username)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label={label} title={label}>
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {user !== undefined && (
          <Menu.Label>
            {user.username}, {shellText.role[user.role]}
          </Menu.Label>
        )}
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={logout}>
          {shellText.logout}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
