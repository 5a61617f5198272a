import { useRef } from 'react'
import type { AuditEvent } from '../../api/audit.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DetailDrawer } from '../../ui/detail-drawer.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './administration.module.css'
import { auditText } from './administration.text.ts'
import { ActionWord, actorWords, BrokenTag, OutcomeWord } from './audit-words.tsx'
import { detailFacts } from './detail-facts.ts'
import { RequestPanel } from './request-panel.tsx'

const text = auditText.drawer

export type AuditDrawerProps = {
  openId: string | undefined
  event: AuditEvent | undefined
  /** The page is there, so a missing event is not on it. */
  loaded: boolean
  /** Everything of the request is shown as well. */
  traced: boolean
  onTrace: () => void
  onClose: () => void
  onStep: ((by: 1 | -1) => void) | undefined
}

/** One event of the journal with every field. */
export function AuditDrawer({ openId, event, loaded, traced, onTrace, onClose, onStep }: AuditDrawerProps) {
  // While the drawer slides out, it still shows what it held.
  const last = useRef(event)
  if (event !== undefined) last.current = event
  const shown = openId === undefined ? last.current : event
  return (
    <DetailDrawer
      openId={openId}
      title={shown === undefined ? auditText.title : <ActionWord event={shown} />}
      onClose={onClose}
      onStep={onStep}
    >
      {shown === undefined ? (
        loaded && openId !== undefined && <EmptyState title={text.missing} description={text.missingNext} />
      ) : (
        <div className={classes['drawer']}>
          <SectionPanel title={text.facts}>
            <FactList facts={factsOf(shown)} />
          </SectionPanel>
          <SectionPanel title={text.details}>
            <Details details={shown.details} />
          </SectionPanel>
          <SectionPanel title={text.chain}>
            <div className={classes['chain']}>
              {shown.chain === 'OK' ? <StateWord state="ok" word={auditText.chain.OK} /> : <BrokenTag />}
              <span className={shown.chain === 'OK' ? 'svc-dim' : undefined}>{auditText.chainMeaning[shown.chain]}</span>
            </div>
          </SectionPanel>
          <RequestPanel event={shown} traced={traced} onTrace={onTrace} />
        </div>
      )}
    </DetailDrawer>
  )
}

function Details({ details }: { details: AuditEvent['details'] }) {
  const facts = detailFacts(details)
  if (facts.length === 0) return <p className="svc-dim">{text.noDetails}</p>
  return <FactList facts={facts} />
}

function factsOf(event: AuditEvent) {
  const { names } = text
  return [
    { name: names.at, value: <TimeText value={event.at} form="precise" /> },
    { name: names.action, value: <span className="svc-mono">{event.action}</span> },
    { name: names.outcome, value: <OutcomeWord outcome={event.outcome} /> },
    { name: names.actor, value: actorWords(event) },
    { name: names.actorId, value: <Mono value={event.actor_id} name={names.actorId} /> },
    { name: names.targetType, value: <Plain value={event.target_type} /> },
    { name: names.targetName, value: <Plain value={event.target_name} /> },
    { name: names.targetId, value: <Mono value={event.target_id} name={names.targetId} /> },
    { name: names.client, value: <Mono value={event.client_ip} name={names.client} /> },
    { name: names.request, value: <Mono value={event.request_id} name={names.request} /> },
    { name: names.id, value: <Mono value={event.id} name={names.id} /> },
  ]
}

function Plain({ value }: { value: string | null }) {
  return value === null || value === '' ? <span className="svc-dim">{auditText.none}</span> : value
}

function Mono({ value, name }: { value: string | null; name: string }) {
  if (value === null || value === '') return <Plain value={null} />
  return (
    <span className={classes['copyable']}>
      <span className="svc-mono">{value}</span>
      <CopyButton text={value} what={name} />
    </span>
  )
}
