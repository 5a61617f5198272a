import { ActionIcon, Drawer, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './detail-drawer.module.css'
import { useDisplay } from './display.tsx'
import { uiText } from './ui.text.ts'

export type DetailDrawerProps = {
  /** The open row's id from the URL; undefined closes the drawer. */
  openId: string | undefined
  title: ReactNode
  /** Takes `open` out of the URL. */
  onClose: () => void
  /** Steps to the row before (-1) or after (1); also on `k` and `j`. */
  onStep?: ((by: 1 | -1) => void) | undefined
  /** Buttons beside the title. */
  actions?: ReactNode | undefined
  children: ReactNode
}

/** One row's details at the right, opened by the URL; focus goes back to the row at closing. */
export function DetailDrawer({ openId, title, onClose, onStep, actions, children }: DetailDrawerProps) {
  const { letterKeys } = useDisplay()
  const lastId = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (openId !== undefined) lastId.current = openId
    else if (lastId.current !== undefined) focusRow(lastId.current)
  }, [openId])
  useStepKeys(openId !== undefined && letterKeys ? onStep : undefined)
  return (
    <Drawer.Root
      opened={openId !== undefined}
      onClose={onClose}
      position="right"
      size="min(560px, 100vw)"
      returnFocus={false}
      // A className on the content would land on the screen-wide element around it as well.
      classNames={{ content: classes['content'] ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header className={classes['header'] ?? ''}>
          <Drawer.Title className={classes['title'] ?? ''}>{title}</Drawer.Title>
          <div className={classes['actions']}>
            {actions}
            {onStep !== undefined && <StepButtons onStep={onStep} />}
            <Drawer.CloseButton aria-label={uiText.close} />
          </div>
        </Drawer.Header>
        <Drawer.Body className={classes['body'] ?? ''}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function StepButtons({ onStep }: { onStep: (by: 1 | -1) => void }) {
  return (
    <>
      <Tooltip label={uiText.drawer.previous}>
        <ActionIcon aria-label={uiText.drawer.previous} onClick={() => onStep(-1)}>
          <IconChevronUp size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={uiText.drawer.next}>
        <ActionIcon aria-label={uiText.drawer.next} onClick={() => onStep(1)}>
          <IconChevronDown size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </>
  )
}

/** Listens at the document, since the focus stands anywhere in the drawer and Drawer.Content takes no key listener. */
function useStepKeys(onStep: ((by: 1 | -1) => void) | undefined): void {
  useEffect(() => {
    if (onStep === undefined) return
    const listen = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]') !== null
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'j') onStep(1)
      if (event.key === 'k') onStep(-1)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [onStep])
}

/** The row may have been drawn anew while the drawer was open, so it is found by its id, not by the old element. */
function focusRow(id: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true }))
}
