import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ProbeResult as Result } from '../../api/feeds.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { RejectTable } from './reject-list.tsx'
import classes from './sources.module.css'
import { count, sourcesText } from './sources.text.ts'

const text = sourcesText.probe

/** What a test found: how many rows, how they are laid out, the first ones as they would be read, and what was refused. */
export function ProbeResult({ result, firstPageOnly }: { result: Result; firstPageOnly: boolean }) {
  const good = result.accepted_count > 0
  const Icon = good ? IconCircleCheck : IconAlertTriangle
  return (
    <section className={classes['probe']} aria-label={text.title} data-good={good || undefined}>
      <p className={classes['verdict']}>
        <Icon size={16} aria-hidden />
        <b>{good ? text.good(result.accepted_count) : text.bad}</b>
        {firstPageOnly && <span className="svc-dim">{text.firstPage}</span>}
        {!good && <span className="svc-dim">{text.badNext}</span>}
      </p>
      <ul className={classes['figures']}>
        {[
          [text.rows, result.row_count],
          [text.accepted, result.accepted_count],
          [text.rejected, result.rejected_count],
          [text.unsupported, result.unsupported_count],
        ].map(([name, value]) => (
          <li key={name}>
            <b>{count(Number(value))}</b> {name}
          </li>
        ))}
      </ul>
      <FactList
        facts={[
          { name: text.layout, value: layoutWords(result.layout) },
          { name: text.types, value: typeWords(result.types) },
          ...(result.unsupported_count === 0 ? [] : [{ name: text.notHeld, value: sourcesText.kinds(result.unsupported_by_kind) }]),
          { name: text.size, value: text.bytes(result.bytes, result.content_type) },
        ]}
      />
      {result.samples.length > 0 && <Samples samples={result.samples} />}
      {result.rejections.length > 0 && (
        <>
          <p className={classes['smallTitle']}>{text.rejects(result.rejections.length, result.rejected_count)}</p>
          <RejectTable rejections={result.rejections} label={sourcesText.rejects.scroll} />
        </>
      )}
    </section>
  )
}

function Samples({ samples }: { samples: Result['samples'] }) {
  return (
    <>
      <p className={classes['smallTitle']}>{text.samples}</p>
      <ScrollBox label={text.scroll} tall>
        <table className={classes['small']}>
          <thead>
            <tr>
              <th scope="col" className={classes['number']}>
                {text.line}
              </th>
              <th scope="col">{text.raw}</th>
              <th scope="col">{text.readAs}</th>
              <th scope="col">{text.type}</th>
              <th scope="col">{text.severity}</th>
            </tr>
          </thead>
          <tbody>
            {samples.map(({ line, raw, type, value, severity }) => (
              <tr key={`${line} ${raw}`}>
                <td className={classes['number']}>{count(line)}</td>
                <td className={`svc-mono ${classes['raw']}`}>{raw === '' ? sourcesText.rejects.empty : raw}</td>
                <td className={value === null || value === raw ? 'svc-dim' : `svc-mono ${classes['raw']}`}>
                  {value === null ? text.notRead : value === raw ? text.same : value}
                </td>
                <td>{type ?? ''}</td>
                <td>{severity !== null && <SeverityTag severity={severity} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  )
}

/** `CSV, comma, header in the first row, value in ioc_value`. */
function layoutWords(layout: Result['layout']): string {
  const word = (name: string) => (typeof layout[name] === 'string' ? String(layout[name]) : undefined)
  const header = word('header')
  const words = [
    word('format'),
    lookUp(text.delimiter, word('delimiter')),
    lookUp(text.mode, word('mode')),
    header === undefined ? undefined : lookUp(text.header, header),
    withWord(text.path, word('items')),
    withWord(text.valueColumn, word('value')),
    withWord(text.typeColumn, word('type')),
    withWord(text.encoding, word('encoding')),
  ].filter((part) => part !== undefined)
  return words.length === 0 ? text.unknownLayout : words.join(', ')
}

function lookUp(words: Readonly<Record<string, string>>, key: string | undefined): string | undefined {
  return key === undefined ? undefined : (words[key] ?? key)
}

function withWord(phrase: (word: string) => string, word: string | undefined): string | undefined {
  return word === undefined || word === '' ? undefined : phrase(word)
}

function typeWords(types: Result['types']): string {
  const found = Object.entries(types).toSorted(([, first], [, second]) => second - first)
  return found.length === 0 ? text.unknownLayout : found.map(([type, rows]) => `${type} ${count(rows)}`).join(', ')
}
