import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './filter-bar.module.css'
import { uiText } from './ui.text.ts'

/** A row of filter controls; mark the text box that `/` shall focus with `data-filter-box`. */
export function FilterBar({
  children,
  onClear,
  end,
}: {
  children: ReactNode /** Given only while a filter is set. */
  onClear?: (() => void) | undefined
  end?: ReactNode | undefined | undefined
}) {
  return (
    <search aria-label={uiText.filter.label} className={classes['bar']}>
      <div className={classes['controls']}>
        {children}
        {onClear !== undefined && (
          <Button variant="subtle" color="gray" leftSection={<IconX size={14} aria-hidden />} onClick={onClear}>
            {uiText.filter.clear}
          </Button>
        )}
      </div>
      {end !== undefined && <div className={classes['end']}>{end}</div>}
    </search>
  )
}
