import { MS_PER_DAY, MS_PER_HOUR } from '#kernel/clock.ts'
import type { IncidentSeverity } from './incidents.model.ts'

/** How long an incident may wait until it is taken in, and until it is closed, milliseconds. Source: spec, "Limits", SOC target delays. */
// biome-ignore format: one severity per line
export const TARGET_DELAYS_MS: Record<IncidentSeverity, { takeIn: number; resolution: number }> = {
  CRITICAL: { takeIn: MS_PER_HOUR,      resolution: 24 * MS_PER_HOUR },
  HIGH:     { takeIn: 4 * MS_PER_HOUR,  resolution: 72 * MS_PER_HOUR },
  MEDIUM:   { takeIn: 24 * MS_PER_HOUR, resolution: 7 * MS_PER_DAY },
  LOW:      { takeIn: 72 * MS_PER_HOUR, resolution: 30 * MS_PER_DAY },
}

/** When an incident is to be taken in and closed at the latest, by the severity that it has now. */
export function dueMoments({ severity, created_at }: { severity: IncidentSeverity; created_at: Date }): {
  take_in_due_at: Date
  resolution_due_at: Date
} {
  const { takeIn, resolution } = TARGET_DELAYS_MS[severity]
  return { take_in_due_at: new Date(created_at.getTime() + takeIn), resolution_due_at: new Date(created_at.getTime() + resolution) }
}
