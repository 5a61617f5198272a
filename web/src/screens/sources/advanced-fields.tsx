import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { TLP_LEVELS } from '../../api/feeds.ts'
import { factsOfFormat, type SimpleSetting } from './feed-formats.ts'
import { type ParserSettings, settingFlag, settingText, tryParserText, withFlag, withSetting, writeParserText } from './parser-text.ts'
import classes from './sources.module.css'
import { sourcesText } from './sources.text.ts'
import type { SourceFormState } from './use-source-form.ts'

const text = sourcesText.dialog
const LICENCE_MAX_CHARACTERS = 300
const URL_MAX_CHARACTERS = 2048

/** How the rows are read, what may be shared and under which terms; closed until it is needed. */
export function AdvancedFields({ form }: { form: SourceFormState }) {
  const { draft, set, messageOf, parserMessages } = form
  const box = useRef<HTMLDetailsElement>(null)
  const words = sourcesText.formatOf(draft.format)
  const refused = parserMessages.length > 0 || form.parserBad || messageOf('licence') !== undefined || messageOf('homepage') !== undefined
  useEffect(() => {
    // A refusal inside a closed box could not be seen.
    if (refused && box.current !== null) box.current.open = true
  }, [refused])
  return (
    <details className={classes['advanced']} ref={box}>
      <summary>{text.advanced}</summary>
      <div className={classes['form']}>
        <p className="svc-dim">{words?.readerHint ?? text.readerHint}</p>
        <SimpleSettings form={form} />
        <Textarea
          label={text.parserLabel}
          autosize
          minRows={2}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: 'svc-mono' }}
          placeholder="{}"
          value={draft.parser}
          error={form.parserBad ? text.parserBad : parserMessages.length > 0 ? parserMessages.join('. ') : undefined}
          onChange={(event) => set({ parser: event.currentTarget.value })}
        />
        <div className={classes['triple']}>
          <NativeSelect
            size="xs"
            label={text.fields.tlp}
            description={words?.tlpHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={draft.tlp}
            data={[...TLP_LEVELS]}
            error={messageOf('tlp')}
            onChange={({ currentTarget: { value } }) => set({ tlp: TLP_LEVELS.find((level) => level === value) ?? draft.tlp })}
          />
          <TextInput
            label={text.fields.licence}
            maxLength={LICENCE_MAX_CHARACTERS}
            value={draft.licence}
            error={messageOf('licence')}
            onChange={(event) => set({ licence: event.currentTarget.value })}
          />
          <TextInput
            label={text.fields.homepage}
            maxLength={URL_MAX_CHARACTERS}
            value={draft.homepage}
            error={messageOf('homepage')}
            onChange={(event) => set({ homepage: event.currentTarget.value })}
          />
        </div>
      </div>
    </details>
  )
}

/** The usual settings of the format as boxes of their own; each writes into the JSON text, which stays the truth. */
function SimpleSettings({ form }: { form: SourceFormState }) {
  const { draft, set, messageOf } = form
  const settings = tryParserText(draft.parser)
  const offered = factsOfFormat(draft.format)?.settings ?? []
  const write = (changed: ParserSettings) => set({ parser: writeParserText(changed) })
  const propsOf = (name: SimpleSetting, label: string) => {
    const shown = settings === undefined ? undefined : settingText(settings, name)
    return {
      label,
      value: shown ?? '',
      disabled: shown === undefined,
      error: messageOf(`parser.${name}`) !== undefined,
      onType: (typed: string) => write(withSetting(settings ?? {}, name, typed)),
    }
  }
  const labels: Readonly<Record<string, string>> = draft.format === 'JSON' ? { ...text.simple, ...text.simpleJson } : text.simple
  const boxes = offered.filter((name) => name in labels)
  const flags = offered.filter((name) => isFlag(name))
  return (
    <>
      {boxes.length > 0 && (
        <div className={classes['triple']}>
          {boxes.map((name) => {
            const words = CHOICES[name]
            const props = propsOf(name, labels[name] ?? name)
            return words === undefined ? (
              <SettingBox key={name} {...props} placeholder={PLACEHOLDERS[name] ?? ''} />
            ) : (
              <SettingChoice key={name} {...props} words={words} />
            )
          })}
        </div>
      )}
      {flags.map((name) => (
        <SettingFlag
          key={name}
          label={text.flags[name]}
          value={settings === undefined ? undefined : settingFlag(settings, name)}
          onChange={(on) => write(withFlag(settings ?? {}, name, on))}
        />
      ))}
    </>
  )
}

const PLACEHOLDERS: Readonly<Partial<Record<SimpleSetting, string>>> = {
  value: text.columnHint,
  type: text.typeColumnHint,
  items: text.itemsHint,
  comment: text.commentHint,
}

const CHOICES: Readonly<Partial<Record<SimpleSetting, Readonly<Record<string, string>>>>> = {
  delimiter: text.delimiters,
  header: text.headers,
  mode: text.modes,
}

function isFlag(name: SimpleSetting): name is keyof typeof text.flags {
  return name in text.flags
}

/** On or off; a value that is neither stands in the JSON text only. */
function SettingFlag({ label, value, onChange }: { label: string; value: boolean | undefined; onChange: (on: boolean) => void }) {
  return (
    <Checkbox
      size="xs"
      label={value === undefined ? `${label} (${text.inJson})` : label}
      checked={value ?? false}
      onChange={({ currentTarget: { checked } }) => {
        if (value !== undefined) onChange(checked)
      }}
    />
  )
}

type SettingProps = { label: string; value: string; disabled: boolean; error: boolean; onType: (typed: string) => void }

/** Shows what is typed as it is typed, and what was understood of it once the box is left. */
function SettingBox({ label, value, disabled, error, onType, placeholder }: SettingProps & { placeholder: string }) {
  const [typed, setTyped] = useState<string>()
  return (
    <TextInput
      label={label}
      autoComplete="off"
      spellCheck={false}
      placeholder={disabled ? text.inJson : placeholder}
      readOnly={disabled}
      error={error}
      value={typed ?? value}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onType(currentTarget.value)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

function SettingChoice({ label, value, disabled, error, onType, words }: SettingProps & { words: Readonly<Record<string, string>> }) {
  // A list that cannot be changed would be a disabled one, which no keyboard reaches.
  if (disabled) return <TextInput label={label} placeholder={text.inJson} readOnly error={error} />
  const known = Object.entries(words).map(([word, name]) => ({ value: word, label: name }))
  const others = value === '' || value in words ? [] : [{ value, label: value }]
  return (
    <NativeSelect
      size="xs"
      label={label}
      error={error}
      value={value}
      data={[{ value: '', label: text.detected }, ...known, ...others]}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
    />
  )
}
