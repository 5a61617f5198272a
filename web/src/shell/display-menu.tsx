import { ActionIcon, Popover, useMantineColorScheme } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useId } from 'react'
import classes from './menu.module.css'
import { type Density, usePreferences } from './preferences.ts'
import { shellText } from './shell.text.ts'

const THEMES = ['auto', 'light', 'dark'] as const
const DENSITIES: readonly Density[] = ['compact', 'normal', 'roomy']

/** Theme, row height and the switch for single-letter keys. */
export function DisplayMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [preferences, change] = usePreferences()
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon size={32} aria-label={shellText.display} title={shellText.display}>
          <IconAdjustmentsHorizontal size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes['panel'] ?? ''}>
        <Choices legend={shellText.theme} choices={THEMES} labels={shellText.themes} chosen={colorScheme} onChoose={setColorScheme} />
        <Choices
          legend={shellText.density}
          choices={DENSITIES}
          labels={shellText.densities}
          chosen={preferences.density}
          onChoose={(density) => change({ density })}
        />
        <label className={classes['item']}>
          <input type="checkbox" checked={preferences.letterKeys} onChange={() => change({ letterKeys: !preferences.letterKeys })} />
          {shellText.letterKeys}
        </label>
      </Popover.Dropdown>
    </Popover>
  )
}

type ChoicesProps<Choice extends string> = {
  legend: string
  choices: readonly Choice[]
  labels: Readonly<Record<Choice, string>>
  chosen: Choice
  onChoose: (choice: Choice) => void
}

function Choices<Choice extends string>({ legend, choices, labels, chosen, onChoose }: ChoicesProps<Choice>) {
  const name = useId()
  return (
    <fieldset className={classes['group']}>
      <legend className={classes['legend']}>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice} className={classes['item']}>
          <input type="radio" name={name} checked={chosen === choice} onChange={() => onChoose(choice)} />
          {labels[choice]}
        </label>
      ))}
    </fieldset>
  )
}
