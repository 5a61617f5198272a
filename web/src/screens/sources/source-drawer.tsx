import { IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Source } from '../../api/feeds.ts'
import { useCan } from '../../shell/use-can.ts'
import { ActionRow } from '../../ui/action-row.tsx'
import { ButtonKey } from '../../ui/button-key.tsx'
import { DetailDrawer } from '../../ui/detail-drawer.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { SourceBody } from './source-body.tsx'
import { SourceStateWord } from './source-columns.tsx'
import classes from './sources.module.css'
import { sourcesText } from './sources.text.ts'

const text = sourcesText.drawer

export type SourceActs = {
  onCollect: (source: Source, options?: { acceptShrink?: boolean }) => void
  onSwitch: (source: Source, active: boolean) => void
  onEdit: (source: Source) => void
  onDelete: (source: Source) => void
}

export type SourceDrawerProps = SourceActs & {
  openId: string | undefined
  source: Source | undefined
  /** The list is there, so a missing source does not exist. */
  loaded: boolean
  /** A dialog is open on top: Escape and the letters belong to it. */
  busy: boolean
  isAwaited: boolean
  onClose: () => void
  onStep: ((by: 1 | -1) => void) | undefined
}

/** One source beside the list: how it does, and what can be done with it. */
export function SourceDrawer({ openId, source, loaded, busy, isAwaited, onClose, onStep, ...acts }: SourceDrawerProps) {
  // While the drawer slides out, it still shows what it held.
  const last = useRef(source)
  if (source !== undefined) last.current = source
  const shown = openId === undefined ? last.current : source
  return (
    <DetailDrawer
      openId={openId}
      title={<span className={classes['drawerTitle']}>{shown?.name ?? sourcesText.title}</span>}
      onClose={() => {
        if (!busy) onClose()
      }}
      onStep={busy ? undefined : onStep}
    >
      {shown === undefined ? (
        loaded && openId !== undefined && <EmptyState title={text.missing} description={text.missingNext} />
      ) : (
        <div className={classes['drawer']}>
          <div className={classes['drawerHead']}>
            <SourceStateWord source={shown} collecting={shown.collecting || isAwaited} />
            <Actions source={shown} isAwaited={isAwaited} {...acts} />
          </div>
          <SourceBody key={shown.id} source={shown} onAcceptShrink={() => acts.onCollect(shown, { acceptShrink: true })} />
        </div>
      )}
    </DetailDrawer>
  )
}

function Actions({ source, isAwaited, onCollect, onSwitch, onEdit, onDelete }: SourceActs & { source: Source; isAwaited: boolean }) {
  const can = useCan()
  const mayRun = can('feed.run')
  const collectReason = mayRun === true && (source.collecting || isAwaited) ? text.alreadyCollecting : mayRun
  usePageKeys({
    r: () => {
      if (collectReason === true) onCollect(source)
      else notifyDone(collectReason)
    },
    e: () => onEdit(source),
  })
  const Power = source.is_active ? IconPlayerPause : IconPlayerPlay
  return (
    <ActionRow>
      <ReasonButton disabledReason={collectReason} leftSection={<IconRefresh size={14} aria-hidden />} onClick={() => onCollect(source)}>
        {text.collect} <ButtonKey keys="r" />
      </ReasonButton>
      <ReasonButton
        variant="default"
        disabledReason={can('feed.edit')}
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => onEdit(source)}
      >
        {text.edit} <ButtonKey keys="e" />
      </ReasonButton>
      <ReasonButton
        variant="default"
        disabledReason={can('feed.edit')}
        leftSection={<Power size={14} aria-hidden />}
        onClick={() => onSwitch(source, !source.is_active)}
      >
        {source.is_active ? text.disable : text.enable}
      </ReasonButton>
      <ReasonButton
        variant="default"
        disabledReason={can('feed.delete')}
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => onDelete(source)}
      >
        {text.delete}
      </ReasonButton>
    </ActionRow>
  )
}
