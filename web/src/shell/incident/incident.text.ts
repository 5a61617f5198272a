/** Words about incidents that several screens say. */
export const incidentText = {
  open: 'Open incident',
  dialog: {
    title: 'Open an incident',
    name: 'Title',
    severity: 'Severity',
    description: 'What is known',
    mine: 'Assign it to me',
    acknowledge: (alerts: number) => (alerts === 1 ? 'Acknowledge the alert' : `Acknowledge the ${alerts} alerts`),
    about: (things: readonly string[]) => `About ${things.join(', ')}`,
    more: (rest: number) => `${rest} more`,
    submit: 'Open incident',
    cancel: 'Cancel',
    needsTitle: 'Write a title first',
    tooMany: (max: number) => `At most ${max} at once`,
  },
  related: {
    title: (incidents: number) => (incidents === 1 ? 'An incident is about this already' : `${incidents} incidents are about this already`),
    shares: (shared: readonly string[], all: number) =>
      `Shares ${shared.join(', ')}${all > shared.length ? ` and ${all - shared.length} more` : ''}`,
    add: 'Add to this one',
    added: 'Added to the incident',
    closed: 'Incident is closed',
  },
  step: {
    OPEN: 'Open',
    ANALYSIS: 'Analysis',
    CONTAINMENT: 'Containment',
    ERADICATION: 'Eradication',
    RECOVERY: 'Recovery',
    CLOSED: 'Closed',
  },
  clock: { 'take-in': 'Take in', resolution: 'Resolve' },
  nobody: 'nobody',
  linked: {
    title: (incidents: number) => `Incidents (${incidents})`,
    all: 'All of them',
  },
} as const

/** Worst first. */
export const INCIDENT_SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const
