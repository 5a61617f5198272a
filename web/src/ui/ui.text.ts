const numbers = new Intl.NumberFormat('en')

/** Every text that a shared part writes by itself. */
export const uiText = {
  severity: { CRITICAL: 'Critical', HIGH: 'High', MEDIUM: 'Medium', LOW: 'Low', INFO: 'Info' },
  state: { ok: 'Healthy', degraded: 'Degraded', pending: 'Pending', off: 'Off', refused: 'Refused' },
  confidence: (points: number, level: string) => `${points} of 100, ${level}`,
  confidenceLevel: { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' },
  copy: 'Copy',
  copyValue: (what: string) => `Copy ${what}`,
  copied: 'Copied',
  copyFailed: 'The browser refused to copy. Select the text and copy it by hand.',
  close: 'Close',
  cancel: 'Cancel',
  retry: 'Try again',
  requestId: 'Request',
  never: 'Never',
  dialogTypeName: (name: string) => `Type ${name} to confirm`,
  table: {
    select: (label: string) => `Select ${label}`,
    selectAll: 'Select all rows of this page',
    loading: 'Loading',
    refreshing: 'Refreshing',
    sortable: 'Sortable',
  },
  drawer: { previous: 'Previous row', next: 'Next row' },
  pager: {
    label: 'Pages',
    range: (from: number, to: number, total: string) => `${numbers.format(from)} to ${numbers.format(to)} of ${total}`,
    some: (rows: number, total: string) => `${numbers.format(rows)} of ${total}`,
    newer: 'Newer',
    first: 'First page',
    older: 'Older',
    isFirst: 'This is the first page',
    isLast: 'This is the last page',
  },
  typeFirst: (name: string) => `Type ${name} first`,
  filter: {
    label: 'Filters',
    clear: 'Clear filters',
    chosen: (label: string, chosen: readonly string[]) =>
      chosen.length === 0 ? label : chosen.length < 3 ? `${label}: ${chosen.join(', ')}` : `${label}: ${chosen.length}`,
  },
  score: (points: number) => `${points} of 100`,
  runs: {
    summary: (ok: number, failed: number, none: number) => `${ok} succeeded, ${failed} failed, ${none} without a run`,
    ok: 'succeeded',
    failed: 'failed',
    none: 'no run',
  },
  problem: {
    title: 'This did not work',
    offline: 'No answer from the server',
    nextStep: {
      network: 'Check that the service runs (svc status), then try again.',
      server: 'Try again. If it happens again, give the request number to the person who runs the service.',
      forbidden: 'Ask an administrator if you need this.',
      missing: 'It may have been removed. Go back to the list.',
      conflict: 'Someone else changed it meanwhile. Load it again, then repeat your change.',
      tooMany: (seconds: number | undefined) =>
        seconds === undefined ? 'Wait a moment, then try again.' : `Wait ${seconds} seconds, then try again.`,
      invalid: 'Correct what is named above, then try again.',
    },
  },
} as const
