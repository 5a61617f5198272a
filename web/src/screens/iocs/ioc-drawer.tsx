import { Button } from '@mantine/core'
import { IconArrowsMaximize } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { type Indicator, indicatorQuery } from '../../api/indicators.ts'
import { paths } from '../../shell/paths.ts'
import { ButtonKey } from '../../ui/button-key.tsx'
import { DetailDrawer } from '../../ui/detail-drawer.tsx'
import { loadPart } from '../../ui/load-part.ts'
import { IocActions } from './ioc-actions.tsx'
import { IocWords } from './ioc-words.tsx'
import classes from './iocs.module.css'
import { iocsText } from './iocs.text.ts'

/** Drawn details weigh as much as the list, which must be there first. */
const IocBody = lazy(async () => ({ default: (await loadPart(() => import('./ioc-body.tsx'))).IocBody }))

export type IocDrawerProps = {
  openId: string | undefined
  /** The row as the list shows it, when it is on this page: known before the details are. */
  row: Indicator | undefined
  onClose: () => void
  onStep: ((by: 1 | -1) => void) | undefined
}

/** One IOC beside the list. */
export function IocDrawer({ openId, row, onClose, onStep }: IocDrawerProps) {
  // While the drawer slides out, it still shows what it held.
  const shownId = useRef<string | undefined>(undefined)
  if (openId !== undefined) shownId.current = openId
  const id = openId ?? shownId.current
  const { data } = useQuery({ ...indicatorQuery(id ?? ''), enabled: id !== undefined })
  const navigate = useNavigate()
  const ioc = data ?? row
  return (
    <DetailDrawer
      openId={openId}
      title={ioc === undefined ? iocsText.detail.page : <span className={`svc-mono ${classes['drawerTitle']}`}>{ioc.value}</span>}
      onClose={onClose}
      onStep={onStep}
    >
      {id !== undefined && (
        <>
          {ioc !== undefined && (
            <div className={classes['drawerHead']}>
              <IocWords ioc={ioc} />
              <IocActions
                ioc={ioc}
                onOpenPage={() => void navigate({ to: paths.ioc, params: { id } })}
                more={
                  <Button
                    variant="default"
                    leftSection={<IconArrowsMaximize size={14} aria-hidden />}
                    renderRoot={(props) => <Link to={paths.ioc} params={{ id }} {...props} />}
                  >
                    {iocsText.detail.openPage} <ButtonKey keys="o" />
                  </Button>
                }
              />
            </div>
          )}
          <Suspense>
            <IocBody id={id} />
          </Suspense>
        </>
      )}
    </DetailDrawer>
  )
}
