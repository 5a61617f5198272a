import { Loader } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { KeyHint } from '../../ui/key-hint.tsx'
import classes from './palette.module.css'
import { paletteText } from './palette.text.ts'
import type { PaletteEntry } from './palette-entries.ts'

export type PaletteListProps = {
  text: string
  busy: boolean
  entries: readonly PaletteEntry[]
  onText: (text: string) => void
  onPaste: (event: ClipboardEvent) => void
  /** Above the entries: what went wrong. */
  children?: ReactNode
}

/** A box and its list, one combobox: arrows move, Enter chooses, and the focus never leaves the box. */
export function PaletteList({ text, busy, entries, onText, onPaste, children }: PaletteListProps) {
  const listId = useId()
  const box = useRef<HTMLInputElement>(null)
  const [moved, setMoved] = useState({ text, entries: '', index: 0 })
  const shape = entries.map(({ id }) => id).join(' ')
  const start = Math.max(
    0,
    entries.findIndex(({ keys, reason }) => keys === 'Enter' && reason === undefined),
  )
  // The cursor belongs to one list: another list begins at its own start.
  const cursor = moved.text === text && moved.entries === shape ? Math.min(moved.index, entries.length - 1) : start
  const active = entries[cursor]

  useLayoutEffect(() => box.current?.focus(), [])
  useEffect(() => {
    if (active !== undefined) document.getElementById(`${listId}-${active.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [active, listId])

  const moveTo = (index: number) => setMoved({ text, entries: shape, index: (index + entries.length) % Math.max(1, entries.length) })
  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined || entry.reason !== undefined || busy) return
    entry.onChoose()
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowDown: () => moveTo(cursor + 1),
      ArrowUp: () => moveTo(cursor - 1),
      Enter: () => choose(active),
    }
    const act = keys[event.key]
    if (act === undefined || event.nativeEvent.isComposing) return
    event.preventDefault()
    act()
  }
  return (
    <>
      <div className={classes['box']}>
        {busy ? <Loader size={18} aria-label={paletteText.looking} /> : <IconSearch size={18} aria-hidden />}
        <input
          ref={box}
          data-autofocus
          className={classes['input']}
          role="combobox"
          aria-label={paletteText.title}
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : `${listId}-${active.id}`}
          placeholder={paletteText.placeholder}
          spellCheck={false}
          autoComplete="off"
          maxLength={8192}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          onPaste={onPaste}
          onKeyDown={onKeyDown}
          onBlur={keepFocus}
        />
      </div>
      {children}
      <div id={listId} role="listbox" aria-label={paletteText.list} className={classes['list']}>
        {groupsOf(entries).map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a listbox
          <div key={group.name} role="group" aria-label={group.name}>
            <div className={classes['group']} aria-hidden>
              {group.name}
            </div>
            {group.entries.map((entry) => (
              <Entry
                key={entry.id}
                id={`${listId}-${entry.id}`}
                entry={entry}
                active={entry === active}
                onPoint={() => entry !== active && moveTo(entries.indexOf(entry))}
                onChoose={() => choose(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="svc-unseen" role="status">
        {busy
          ? paletteText.looking
          : entries[0]?.group === paletteText.groups.answer
            ? `${entries[0].label}. ${entries[0].hint ?? ''}`
            : ''}
      </p>
      <p className={classes['foot']} aria-hidden>
        <span>
          <KeyHint keys="↑ ↓" /> {paletteText.keys.move}
        </span>
        <span>
          <KeyHint keys="Enter" /> {paletteText.keys.choose}
        </span>
        <span>
          <KeyHint keys="Esc" /> {paletteText.keys.leave}
        </span>
      </p>
    </>
  )
}

/** A page that arrives late takes the focus to itself; an open palette must not lose it, for its keys would go astray. */
function keepFocus({ currentTarget: box }: FocusEvent<HTMLInputElement>): void {
  requestAnimationFrame(() => {
    const dialog = box.closest('[role=dialog]')
    if (box.isConnected && dialog?.contains(document.activeElement) === false) box.focus()
  })
}

type EntryProps = { id: string; entry: PaletteEntry; active: boolean; onPoint: () => void; onChoose: () => void }

function Entry({ id, entry, active, onPoint, onChoose }: EntryProps) {
  const Icon = entry.icon
  const hint = entry.reason ?? entry.hint
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box above hears the keys for the whole list
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box, which points here with aria-activedescendant
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-disabled={entry.reason !== undefined}
      className={classes['entry']}
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon size={16} aria-hidden />
      <span className={classes['words']}>
        <span className={classes['label']}>{entry.label}</span>
        {hint !== undefined && <span className={classes['hint']}>{hint}</span>}
      </span>
      {entry.keys !== undefined && entry.reason === undefined && (
        <span aria-hidden className={classes['keys']}>
          <KeyHint keys={entry.keys} />
        </span>
      )}
    </div>
  )
}

function groupsOf(entries: readonly PaletteEntry[]): { name: string; entries: PaletteEntry[] }[] {
  return [...Map.groupBy(entries, ({ group }) => group)].map(([name, members]) => ({ name, entries: members }))
}
