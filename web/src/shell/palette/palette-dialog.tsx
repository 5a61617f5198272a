import { useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ClipboardEvent, useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { putSubmitDraft } from '../../screens/iocs/submit-draft.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { paths } from '../paths.ts'
import { changePreferences, usePreferences } from '../preferences.ts'
import { useCan } from '../use-can.ts'
import { buildEntries } from './build-entries.ts'
import { LookupResults } from './lookup-results.tsx'
import classes from './palette.module.css'
import { PaletteList } from './palette-list.tsx'
import { readQuery } from './palette-query.ts'
import { useLookup } from './use-lookup.ts'

/** Characters of a many-line paste that the one-line box shows. Assumption: about its width. */
const SHOWN_CHARACTERS = 80

/** The inside of the open palette: the box with its entries, or the answer for several values. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  /** Text of several lines, which the box cannot hold. */
  const [pasted, setPasted] = useState<string>()
  const { lookup, goTo } = useLookup(onClose)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [{ timeZone }] = usePreferences()
  const navigate = useNavigate()
  const can = useCan()

  const change = (next: string) => {
    setText(next)
    setPasted(undefined)
    lookup.reset()
  }
  const onPaste = (event: ClipboardEvent) => {
    const lines = event.clipboardData.getData('text')
    if (!/[\r\n]/.test(lines.trim())) return
    event.preventDefault()
    lookup.reset()
    setPasted(lines)
    setText(lines.trim().replace(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS))
  }
  const submit = (values: readonly string[]) => {
    putSubmitDraft(values)
    onClose()
    // The list route leaves its search untyped; the screen owns its schema.
    void navigate({ to: paths.iocs, search: { submit: 'true' } as never })
  }
  const items = lookup.data ?? []
  if (items.length > 1)
    return <LookupResults items={items} submitReason={can('indicator.submit')} onOpen={goTo} onSubmit={submit} onBack={() => change('')} />

  const entries = buildEntries({
    query: readQuery(pasted ?? text),
    answer: items[0],
    submitReason: can('indicator.submit'),
    can,
    colorScheme,
    timeZone,
    lookUp: lookup.mutate,
    openCve: (id) => {
      onClose()
      void navigate({ to: paths.cve, params: { id } })
    },
    submit,
    go: (to) => {
      onClose()
      void navigate({ to })
    },
    setColorScheme: (scheme) => {
      setColorScheme(scheme)
      onClose()
    },
    setTimeZone: (zone) => {
      changePreferences({ timeZone: zone })
      onClose()
    },
    close: onClose,
  })
  return (
    <PaletteList text={text} busy={lookup.isPending} entries={entries} onText={change} onPaste={onPaste}>
      {lookup.isError && (
        <div className={classes['problem']}>
          <ProblemNotice problem={toProblem(lookup.error)} />
        </div>
      )}
    </PaletteList>
  )
}
