import { ActionIcon, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import classes from './text-filter.module.css'

export type TextFilterProps = {
  label: string
  placeholder?: string | undefined
  clearLabel: string
  value: string
  onChange: (value: string | undefined) => void
  /** Changes at every letter, for lists that are here as a whole; else on Enter or on leaving the box. */
  live?: boolean
  /** The box that `/` leads to. */
  main?: boolean
  /** Id of a list of proposals. */
  list?: string | undefined
  mono?: boolean
}

/** One text of a filter bar. */
export function TextFilter({ label, placeholder, clearLabel, value, onChange, live = false, main = false, list, mono }: TextFilterProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const submit = (next = typed.trim()) => {
    if (next !== value) onChange(next === '' ? undefined : next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') submit()
    if (event.key === 'Escape' || (live && event.key === 'Enter'))
      document.querySelector<HTMLElement>('[role=grid] tbody tr[tabindex="0"]')?.focus()
  }
  return (
    <TextInput
      {...(main ? { 'data-filter-box': true } : {})}
      {...(list === undefined ? {} : { list })}
      className={classes[main ? 'textFilter' : 'smallFilter'] ?? ''}
      classNames={{ input: mono === true ? 'svc-mono' : '' }}
      aria-label={label}
      placeholder={placeholder ?? label}
      spellCheck={false}
      autoComplete="off"
      leftSection={main ? <IconSearch size={14} aria-hidden /> : undefined}
      rightSection={
        typed === '' ? null : (
          <ActionIcon
            size={22}
            aria-label={clearLabel}
            onClick={() => {
              setTyped('')
              submit('')
            }}
          >
            <IconX size={13} aria-hidden />
          </ActionIcon>
        )
      }
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        if (live) submit(currentTarget.value.trim())
      }}
      onBlur={() => submit()}
      onKeyDown={onKeyDown}
    />
  )
}
