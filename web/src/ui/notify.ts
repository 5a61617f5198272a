import { notifications } from '@mantine/notifications'
import { uiText } from './ui.text.ts'

const closeButtonProps = { 'aria-label': uiText.close }

/** A short note that something was done; it goes away by itself. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', withBorder: true, closeButtonProps })
}

/** A note that something failed; it stays until it is closed. */
export function notifyProblem(problem: { detail: string; requestId: string | undefined }): void {
  const message = problem.requestId === undefined ? problem.detail : `${problem.detail} (${problem.requestId})`
  notifications.show({ message, color: 'red', withBorder: true, autoClose: false, closeButtonProps })
}
