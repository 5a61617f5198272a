import { Button, Checkbox, Popover } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { uiText } from './ui.text.ts'

export type ChoiceFilterProps<Choice extends string> = {
  label: string
  choices: readonly Choice[]
  words: Record<Choice, string>
  chosen: readonly Choice[] | undefined
  onChange: (chosen: Choice[] | undefined) => void
  /** It stands in another pop-up, which a click beside it must not close. */
  nested?: boolean
}

/** Some of a few words, behind a button that names what is chosen. */
export function ChoiceFilter<Choice extends string>({
  label,
  choices,
  words,
  chosen = [],
  onChange,
  nested = false,
}: ChoiceFilterProps<Choice>) {
  const toggle = (choice: Choice) => {
    const next = choices.filter((candidate) => (candidate === choice) !== chosen.includes(candidate))
    onChange(next.length === 0 ? undefined : next)
  }
  return (
    <Popover position="bottom-start" trapFocus shadow="md" width={190} withinPortal={!nested}>
      <Popover.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden />}
          fw={chosen.length === 0 ? 400 : 600}
          {...(chosen.length === 0 ? {} : { bd: '1px solid var(--svc-accent)' })}
        >
          {uiText.filter.chosen(
            label,
            chosen.map((choice) => words[choice]),
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Checkbox.Group aria-label={label} value={[...chosen]}>
          {choices.map((choice) => (
            <Checkbox key={choice} value={choice} label={words[choice]} py={5} onChange={() => toggle(choice)} />
          ))}
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
