import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconCheck } from '@tabler/icons-react'
import { type Density, usePreferences } from './preferences.ts'
import { shellText } from './shell.text.ts'

const THEMES = ['auto', 'light', 'dark'] as const
const DENSITIES: readonly Density[] = ['compact', 'normal', 'roomy']

/** Theme, row height and the switch for single-letter keys. */
export function DisplayMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [preferences, change] = usePreferences()
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon size={32} aria-label={shellText.display} title={shellText.display}>
          <IconAdjustmentsHorizontal size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{shellText.theme}</Menu.Label>
        {THEMES.map((theme) => (
          <Choice key={theme} label={shellText.themes[theme]} chosen={colorScheme === theme} onChoose={() => setColorScheme(theme)} />
        ))}
        <Menu.Divider />
        <Menu.Label>{shellText.density}</Menu.Label>
        {DENSITIES.map((density) => (
          <Choice
            key={density}
            label={shellText.densities[density]}
            chosen={preferences.density === density}
            onChoose={() => change({ density })}
          />
        ))}
        <Menu.Divider />
        <Menu.Item
          role="menuitemcheckbox"
          aria-checked={preferences.letterKeys}
          rightSection={preferences.letterKeys ? <IconCheck size={14} aria-hidden /> : null}
          onClick={() => change({ letterKeys: !preferences.letterKeys })}
        >
          {shellText.letterKeys}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Choice({ label, chosen, onChoose }: { label: string; chosen: boolean; onChoose: () => void }) {
  return (
    <Menu.Item
      role="menuitemradio"
      aria-checked={chosen}
      rightSection={chosen ? <IconCheck size={14} aria-hidden /> : null}
      onClick={onChoose}
    >
      {label}
    </Menu.Item>
  )
}
