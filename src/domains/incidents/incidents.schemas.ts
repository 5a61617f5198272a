import { Type } from '@fastify/type-provider-typebox'
import { INDICATOR_TYPES } from '#domains/indicators/indicators.model.ts'
import {
  CountSchema,
  NullableTextSchema,
  NullableTimestampSchema,
  ProblemSchema,
  TimestampSchema,
  UuidSchema,
} from '#platform/http/schemas.ts'
import {
  DESCRIPTION_MAX_CHARS,
  INCIDENT_SEVERITIES,
  INCIDENT_STEPS,
  LINKS_MAX,
  NOTE_MAX_CHARS,
  REASON_MAX_CHARS,
  REASON_MIN_CHARS,
  RESOLUTIONS,
  SOC_LEVELS,
  TIMELINE_KINDS,
  TITLE_MAX_CHARS,
} from './incidents.model.ts'

const StepSchema = Type.Enum(INCIDENT_STEPS, { type: 'string' })
const SeveritySchema = Type.Enum(INCIDENT_SEVERITIES, { type: 'string' })
const LevelSchema = Type.Enum(SOC_LEVELS, { type: 'string' })
const NullableUuidSchema = Type.Union([UuidSchema, Type.Null()])
const NullableResolutionSchema = Type.Union([Type.Enum(RESOLUTIONS, { type: 'string' }), Type.Null()])
const CveIdSchema = Type.String({ pattern: '^[Cc][Vv][Ee]-\\d{4}-\\d{4,19}$', examples: ['CVE-2026-10001'] })
/** A word of a closed list in any case; the service names the list when it is another. */
const WordSchema = Type.String({ maxLength: 40 })
const VersionSchema = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'The version that the caller has read. Refused with what changed meanwhile when it is no longer that.',
  }),
)

const BRIEF_FIELDS = {
  id: UuidSchema,
  title: Type.String(),
  status: StepSchema,
  severity: SeveritySchema,
  level: LevelSchema,
  created_at: TimestampSchema,
}

const INCIDENT_FIELDS = {
  ...BRIEF_FIELDS,
  description: Type.String(),
  assignee_id: NullableUuidSchema,
  assignee: NullableTextSchema,
  resolution: NullableResolutionSchema,
  summary: NullableTextSchema,
  version: Type.Integer({
    minimum: 1,
    description: 'Rises with each change of the incident itself; comments, actions and links leave it.',
  }),
  event_count: Type.Integer({ minimum: 0, description: 'Rows of its timeline.' }),
  reopen_count: CountSchema,
  opened_by: Type.String(),
  acknowledged_at: NullableTimestampSchema,
  closed_at: NullableTimestampSchema,
  updated_at: TimestampSchema,
  cve_count: CountSchema,
  indicator_count: CountSchema,
  allowed_moves: Type.Array(StepSchema),
  take_in_due_at: TimestampSchema,
  resolution_due_at: TimestampSchema,
}

export const IncidentSchema = Type.Object(INCIDENT_FIELDS, { $id: 'Incident' })
export const IncidentPageSchema = Type.Object({
  items: Type.Array(IncidentSchema),
  total: CountSchema,
  total_exact: Type.Boolean(),
  next: NullableTextSchema,
})

export const IncidentDetailSchema = Type.Object(
  {
    ...INCIDENT_FIELDS,
    cves: Type.Array(
      Type.Object({
        id: Type.String(),
        priority: NullableTextSchema,
        score: Type.Union([Type.Integer(), Type.Null()]),
        description: NullableTextSchema,
        linked_at: TimestampSchema,
      }),
    ),
    indicators: Type.Array(
      Type.Object({
        id: UuidSchema,
        type: Type.Enum(INDICATOR_TYPES, { type: 'string' }),
        value: Type.String(),
        severity: Type.String(),
        linked_at: TimestampSchema,
      }),
    ),
    alerts: Type.Array(
      Type.Object({
        id: UuidSchema,
        cve_id: Type.String(),
        priority: Type.String(),
        title: Type.String(),
        created_at: TimestampSchema,
        acknowledged_at: NullableTimestampSchema,
      }),
    ),
  },
  { $id: 'IncidentDetail' },
)

export const TimelineEntrySchema = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: 'In the order of the commits, without a gap.' }),
    version: Type.Integer({ minimum: 1 }),
    at: TimestampSchema,
    kind: Type.Enum(TIMELINE_KINDS, { type: 'string' }),
    actor: Type.String(),
    from: NullableTextSchema,
    to: NullableTextSchema,
    indicator_id: NullableUuidSchema,
    resolution: NullableResolutionSchema,
    note: NullableTextSchema,
  },
  { $id: 'TimelineEntry' },
)
export const TimelinePageSchema = Type.Object({
  items: Type.Array(TimelineEntrySchema),
  total: CountSchema,
  total_exact: Type.Boolean(),
  next: NullableTextSchema,
})
export const TimelineQuerySchema = Type.Object(
  { cursor: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })) },
  { additionalProperties: false },
)

/** A refusal of a stale version, with the incident as it is now and what made it so. */
export const StaleVersionSchema = Type.Object(
  {
    ...ProblemSchema.properties,
    incident: Type.Optional(IncidentSchema),
    changes: Type.Optional(
      Type.Array(TimelineEntrySchema, { description: 'What happened since the version that was named, oldest first.' }),
    ),
  },
  { $id: 'StaleVersion' },
)

export const RelatedSchema = Type.Object({
  items: Type.Array(
    Type.Object(
      { ...BRIEF_FIELDS, shared: Type.Array(Type.String(), { description: 'Some of what is shared.' }), shared_count: CountSchema },
      { $id: 'RelatedIncident' },
    ),
  ),
})

export const IncidentQuerySchema = Type.Object(
  {
    status: Type.Optional(Type.String({ maxLength: 100, description: 'One or more steps, separated by commas.' })),
    severity: Type.Optional(
      Type.String({ maxLength: 100, description: 'One or more of LOW, MEDIUM, HIGH, CRITICAL, separated by commas.' }),
    ),
    level: Type.Optional(Type.String({ maxLength: 40, description: 'One or more of L1, L2, L3, separated by commas.' })),
    assignee: Type.Optional(Type.String({ maxLength: 40, description: 'The id of an account, `me`, or `none`.' })),
    open: Type.Optional(Type.Boolean()),
    overdue: Type.Optional(Type.Boolean({ description: 'Only those that are later than their severity allows.' })),
    indicator_id: Type.Optional(UuidSchema),
    cve_id: Type.Optional(CveIdSchema),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
)

const SUBJECT_FIELDS = {
  cve_ids: Type.Optional(Type.Array(CveIdSchema, { maxItems: LINKS_MAX })),
  indicator_ids: Type.Optional(Type.Array(UuidSchema, { maxItems: LINKS_MAX })),
}

export const NewIncidentSchema = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: TITLE_MAX_CHARS }),
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX_CHARS })),
    severity: Type.Optional(WordSchema),
    assignee_id: Type.Optional(NullableUuidSchema),
    ...SUBJECT_FIELDS,
    alert_ids: Type.Optional(Type.Array(UuidSchema, { maxItems: LINKS_MAX })),
    acknowledge_alerts: Type.Optional(Type.Boolean({ description: 'Also acknowledges the alerts.' })),
  },
  { additionalProperties: false },
)
export const SubjectsSchema = Type.Object(SUBJECT_FIELDS, { additionalProperties: false })

export const IncidentPatchSchema = Type.Object(
  {
    version: VersionSchema,
    title: Type.Optional(Type.String({ minLength: 1, maxLength: TITLE_MAX_CHARS })),
    severity: Type.Optional(WordSchema),
  },
  { additionalProperties: false },
)
export const TransitionSchema = Type.Object(
  {
    version: VersionSchema,
    to: WordSchema,
    comment: Type.Optional(Type.String({ maxLength: NOTE_MAX_CHARS })),
    summary: Type.Optional(Type.String({ maxLength: NOTE_MAX_CHARS })),
    resolution: Type.Optional(WordSchema),
  },
  { additionalProperties: false },
)
export const CommentSchema = Type.Object(
  { comment: Type.String({ minLength: 1, maxLength: NOTE_MAX_CHARS }) },
  { additionalProperties: false },
)
export const ActionSchema = Type.Object(
  {
    action: Type.String({
      minLength: 1,
      maxLength: NOTE_MAX_CHARS,
      description: 'What was done elsewhere. The service does nothing by it.',
    }),
  },
  { additionalProperties: false },
)
export const AssignSchema = Type.Object({ version: VersionSchema, assignee_id: NullableUuidSchema }, { additionalProperties: false })
export const EscalateSchema = Type.Object(
  {
    version: VersionSchema,
    reason: Type.String({ minLength: REASON_MIN_CHARS, maxLength: REASON_MAX_CHARS }),
    assignee_id: Type.Optional(UuidSchema),
  },
  { additionalProperties: false },
)
export const AssignManySchema = Type.Object(
  { ids: Type.Array(UuidSchema, { minItems: 1, maxItems: LINKS_MAX }), assignee_id: NullableUuidSchema },
  { additionalProperties: false },
)
export const BulkAssignmentSchema = Type.Object({
  assigned: Type.Array(IncidentSchema),
  unchanged: Type.Integer({ minimum: 0, description: 'Of the named: closed, assigned so before, or not known.' }),
})
export const AssigneesSchema = Type.Object({ items: Type.Array(Type.Object({ id: UuidSchema, username: Type.String() })) })

export const CveLinkParamsSchema = Type.Object({ id: UuidSchema, cve_id: CveIdSchema })
export const IndicatorLinkParamsSchema = Type.Object({ id: UuidSchema, indicator_id: UuidSchema })
