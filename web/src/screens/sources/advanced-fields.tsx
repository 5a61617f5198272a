import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { TLP_LEVELS } from '../../api/feeds.ts'
import { settingText, tryParserText, withSetting, writeParserText } from './parser-text.ts'
import classes from './sources.module.css'
import { sourcesText } from './sources.text.ts'
import type { SourceFormState } from './use-source-form.ts'

const text = sourcesText.dialog
const LICENCE_MAX_CHARACTERS = 300
const URL_MAX_CHARACTERS = 2048

type SimpleSetting = keyof typeof text.simple

/** How the rows are read, what may be shared and under which terms; closed until it is needed. */
export function AdvancedFields({ form }: { form: SourceFormState }) {
  const { draft, set, messageOf, parserMessages } = form
  const box = useRef<HTMLDetailsElement>(null)
  const refused = parserMessages.length > 0 || form.parserBad || messageOf('licence') !== undefined || messageOf('homepage') !== undefined
  useEffect(() => {
    // A refusal inside a closed box could not be seen.
    if (refused && box.current !== null) box.current.open = true
  }, [refused])
  return (
    <details className={classes['advanced']} ref={box}>
      <summary>{text.advanced}</summary>
      <div className={classes['form']}>
        <p className={classes['dim']}>{text.readerHint}</p>
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

/** The usual settings as boxes of their own; each writes into the JSON text, which stays the truth. */
function SimpleSettings({ form }: { form: SourceFormState }) {
  const { draft, set, messageOf } = form
  const settings = tryParserText(draft.parser)
  const isJson = draft.format === 'JSON'
  const common = (name: SimpleSetting) => {
    const shown = settings === undefined ? undefined : settingText(settings, name)
    return {
      label: isJson && (name === 'value' || name === 'type') ? text.simpleJson[name] : text.simple[name],
      value: shown ?? '',
      disabled: shown === undefined,
      error: messageOf(`parser.${name}`) !== undefined,
      onType: (typed: string) => set({ parser: writeParserText(withSetting(settings ?? {}, name, typed)) }),
    }
  }
  return (
    <div className={classes['triple']}>
      <SettingBox {...common('value')} placeholder={text.columnHint} />
      <SettingBox {...common('type')} placeholder={text.typeColumnHint} />
      {isJson ? (
        <SettingBox {...common('items')} placeholder={text.itemsHint} />
      ) : (
        <>
          <SettingBox {...common('comment')} placeholder={text.commentHint} />
          <SettingChoice {...common('delimiter')} words={text.delimiters} />
          <SettingChoice {...common('header')} words={text.headers} />
        </>
      )}
    </div>
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

function SettingChoice({ label, value, disabled, error, onType, words }: SettingProps & { words: Record<string, string> }) {
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
