import { NativeSelect } from '@mantine/core'

type OneOfFilterProps<Choice extends string> = {
  label: string
  choices: readonly Choice[]
  words: Record<Choice | 'unset', string>
  value: Choice | undefined
  onChange: (value: Choice | undefined) => void
}

/** One of a few words, or none of them. */
export function OneOfFilter<Choice extends string>({ label, choices, words, value, onChange }: OneOfFilterProps<Choice>) {
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value ?? 'unset'}
      data={(['unset', ...choices] as const).map((choice) => ({ value: choice, label: words[choice] }))}
      onChange={({ currentTarget }) => onChange(choices.find((choice) => choice === currentTarget.value))}
    />
  )
}
