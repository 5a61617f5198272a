import type { IncidentStep, Resolution } from '#domains/incidents/incidents.model.ts'

/** One thing that an analyst does to an incident, so many hours after it was opened, on a quiet day less, on another more. */
export type DemoDeed = { hours: number } & (
  | { take: true }
  | { comment: string }
  | { action: string }
  | { escalate: string }
  | { to: Exclude<IncidentStep, 'OPEN' | 'CLOSED'>; because?: string }
  | { close: Resolution; summary: string }
)
/** How an incident went. */
export type DemoCourse = { title: string; severity: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'; deeds: readonly DemoDeed[] }

/** The courses that incidents take in turn: handled well, nothing at all, handed up, waited for, and handed up twice. */
export const DEMO_COURSES: readonly DemoCourse[] = [
  {
    title: 'A workstation spoke to a controller',
    severity: 'HIGH',
    deeds: [
      { hours: 0.2, take: true },
      { hours: 0.3, to: 'ANALYSIS' },
      { hours: 0.5, comment: 'One machine, since Tuesday evening, every ten minutes. The user had opened an invoice.' },
      { hours: 1, to: 'CONTAINMENT' },
      { hours: 1.2, action: 'Took the workstation off the network.' },
      { hours: 4, to: 'ERADICATION' },
      { hours: 5, action: 'Installed it anew.' },
      { hours: 8, to: 'RECOVERY' },
      {
        hours: 30,
        close: 'TRUE_POSITIVE_IMPACT',
        summary: 'One workstation was infected by a mail and was installed anew. No other has spoken to the controller.',
      },
    ],
  },
  {
    title: 'A scanner looked at the mail server',
    severity: 'LOW',
    deeds: [
      { hours: 1.5, take: true },
      { hours: 2, comment: 'The address is one of the scanners that look at everybody.' },
      { hours: 3, close: 'FALSE_POSITIVE', summary: 'A known scanner; nothing answered it.' },
    ],
  },
  {
    title: 'Passwords typed into a copied login page',
    severity: 'CRITICAL',
    deeds: [
      { hours: 0.4, take: true },
      { hours: 0.5, to: 'ANALYSIS' },
      { hours: 0.6, escalate: 'Two of the accounts belong to administrators.' },
      { hours: 0.8, action: 'Ended all sessions of the five accounts and set new passwords.' },
      { hours: 1, to: 'CONTAINMENT' },
      { hours: 20, to: 'ERADICATION' },
      { hours: 44, to: 'RECOVERY' },
      {
        hours: 70,
        close: 'TRUE_POSITIVE_IMPACT',
        summary: 'Five people typed their passwords into a copied page. Nobody used them before they were changed.',
      },
    ],
  },
  {
    title: 'A file with a listed hash in a shared folder',
    severity: 'MEDIUM',
    deeds: [
      { hours: 8, take: true },
      { hours: 9, to: 'ANALYSIS' },
      { hours: 26, comment: 'The hash is that of an old installer. Waiting for the team that put it there.' },
      { hours: 75, close: 'TRUE_POSITIVE_NO_IMPACT', summary: 'An infected installer that nobody had opened. It was deleted.' },
    ],
  },
  {
    title: 'A flaw that is being exploited, in software that we run',
    severity: 'HIGH',
    deeds: [
      { hours: 1.5, take: true },
      { hours: 2, to: 'ANALYSIS' },
      { hours: 3, to: 'CONTAINMENT' },
      { hours: 3.5, action: 'Closed the port to the outside.' },
      { hours: 50, to: 'ANALYSIS', because: 'A second installation was found.' },
      { hours: 54, to: 'CONTAINMENT' },
      { hours: 60, escalate: 'The vendor says that the update does not close it.' },
      { hours: 100, to: 'ERADICATION' },
      { hours: 110, escalate: 'The application has to be taken out of service.' },
      { hours: 120, to: 'RECOVERY' },
      {
        hours: 160,
        close: 'TRUE_POSITIVE_NO_IMPACT',
        summary: 'Both installations were replaced. Nobody had used the flaw.',
      },
    ],
  },
]
