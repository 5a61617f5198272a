import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import { type ComponentPropsWithoutRef, type MouseEvent, useId } from 'react'

export type ReasonButtonProps = ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'disabled'> & {
    /** Why it cannot be pressed now; true or undefined when it can. Takes what `can()` gives. */
    disabledReason?: true | string | undefined
  }

/** A button that stays focusable when it is not allowed and says why, on hover, on focus and to screen readers. */
export function ReasonButton({ disabledReason, onClick, children, ...rest }: ReasonButtonProps) {
  const reasonId = useId()
  if (disabledReason === undefined || disabledReason === true) {
    return (
      <Button {...rest} {...(onClick === undefined ? {} : { onClick })}>
        {children}
      </Button>
    )
  }
  return (
    <Tooltip label={disabledReason} multiline maw={280}>
      <Button
        {...rest}
        type="button"
        aria-disabled
        data-disabled
        aria-describedby={reasonId}
        onClick={(event: MouseEvent) => event.preventDefault()}
      >
        {children}
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      </Button>
    </Tooltip>
  )
}
