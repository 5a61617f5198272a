import { Type } from '@fastify/type-provider-typebox'
import { CountSchema, NullableTextSchema, NullableTimestampSchema, TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'
import { SORT_KEYS } from './list-order.ts'
import { PRIORITIES, VERDICTS } from './vulnerabilities.model.ts'

const NullableNumberSchema = Type.Union([Type.Number(), Type.Null()])
const PrioritySchema = Type.Enum(PRIORITIES, { type: 'string' })
const ScoreSchema = Type.Integer({ minimum: 0, maximum: 100 })
const DaySchema = Type.Union([Type.String({ description: 'A day, YYYY-MM-DD.' }), Type.Null()])

const LIST_FIELDS = {
  id: Type.String({ examples: ['CVE-2021-44228'] }),
  status: Type.String({ description: 'As NVD words it.' }),
  description: Type.String(),
  published: TimestampSchema,
  last_modified: TimestampSchema,
  cvss: NullableNumberSchema,
  cvss_version: NullableTextSchema,
  exploit: Type.Boolean({ description: 'True when its references show a public exploit.' }),
  score: ScoreSchema,
  priority: PrioritySchema,
  epss: Type.Union([Type.Number({ description: 'Probability of exploitation within 30 days, 0 to 1.' }), Type.Null()]),
  epss_percentile: NullableNumberSchema,
  kev: Type.Boolean({ description: 'Known to be exploited.' }),
  ransomware: Type.Boolean(),
  kev_due_date: DaySchema,
}

/** A CVE as lists show it. */
export const CveSchema = Type.Object(LIST_FIELDS, { $id: 'Cve' })

export const CvePageSchema = Type.Object(
  {
    items: Type.Array(CveSchema, {
      description: 'Of a search for a frequent text maybe fewer than 50, or none, although more follow: read on until `next` is null.',
    }),
    total: CountSchema,
    total_exact: Type.Boolean({
      description: 'False when the total is an estimate; exact up to 10 000, and for a text whenever all that can hold it was looked at.',
    }),
    next: NullableTextSchema,
  },
  { $id: 'CvePage' },
)

export const CveQuerySchema = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The beginning of an identifier, or text of the description from the beginning of a word. No character is special.',
      }),
    ),
    priority: Type.Optional(Type.String({ maxLength: 40, description: 'One or more of P0, P1, P2, P3, separated by commas.' })),
    kev: Type.Optional(Type.Boolean()),
    ransomware: Type.Optional(Type.Boolean({ description: 'Known to be used by ransomware.' })),
    exploit: Type.Optional(Type.Boolean()),
    min_epss: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Lowest EPSS probability.' })),
    min_cvss: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
    status: Type.Optional(
      Type.String({
        maxLength: 400,
        description: 'One or more of the words of NVD, such as Analyzed or Deferred, separated by commas, in any case.',
      }),
    ),
    vendor: Type.Optional(Type.String({ maxLength: 200, description: 'Who makes what is vulnerable.' })),
    product: Type.Optional(
      Type.String({ maxLength: 200, description: 'What is vulnerable, under any name in use. Never a part of a name.' }),
    ),
    published_since: Type.Optional(Type.String({ maxLength: 40, description: 'A day or a moment; UTC unless it names a zone.' })),
    modified_since: Type.Optional(Type.String({ maxLength: 40, description: 'A day or a moment; UTC unless it names a zone.' })),
    due_from: Type.Optional(Type.String({ maxLength: 40, description: 'The first day on which CISA wants it mended.' })),
    due_to: Type.Optional(Type.String({ maxLength: 40, description: 'The last such day.' })),
    alert: Type.Optional(
      Type.String({ maxLength: 40, description: 'OPEN: an alert of it waits. ANY: there has been one. NONE: there has been none.' }),
    ),
    sort: Type.Optional(
      Type.String({
        maxLength: 100,
        examples: ['-kev,due,-score'],
        description: `Up to four of ${SORT_KEYS.join(', ')}, separated by commas, a minus for the highest first. Highest score first when left out; what is not known comes last.`,
      }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 400 })),
  },
  { additionalProperties: false },
)

export const CveParamsSchema = Type.Object({ id: Type.String({ maxLength: 40, examples: ['CVE-2021-44228'] }) })

/** The points of a score; the parts add up to `raw`. */
export const ScoreBreakdownSchema = Type.Object({
  cvss: Type.Integer({ description: '0 to 40' }),
  epss_prob: Type.Integer({ description: '0 to 20' }),
  epss_rank: Type.Integer({ description: '0 to 10' }),
  kev: Type.Integer({ description: '0 or 20' }),
  ransomware: Type.Integer({ description: '0 or 5' }),
  exploit: Type.Integer({ description: '0 or 10' }),
  raw: CountSchema,
  cap: Type.Union([Type.Integer({ description: '75 without EPSS, 100 when the sum is above it.' }), Type.Null()]),
  kev_floor: Type.Boolean({ description: 'True when KEV lifted the priority to P1.' }),
})

const MatchSchema = Type.Object({
  vulnerable: Type.Boolean(),
  criteria: Type.String(),
  versionStartIncluding: Type.Optional(Type.String()),
  versionStartExcluding: Type.Optional(Type.String()),
  versionEndIncluding: Type.Optional(Type.String()),
  versionEndExcluding: Type.Optional(Type.String()),
})
const OperatorSchema = Type.Enum(['AND', 'OR'] as const, { type: 'string' })
const StatusSchema = Type.Enum(['affected', 'unaffected', 'unknown'] as const, { type: 'string' })

/** A CVE with everything that is known of it. Rows of `configurations` and `affected` keep the names of their sources. */
export const CveDetailSchema = Type.Object(
  {
    ...LIST_FIELDS,
    tags: Type.Array(Type.String()),
    cwes: Type.Array(Type.String()),
    cvss_vector: NullableTextSchema,
    cvss_source: NullableTextSchema,
    ssvc: Type.Union([
      Type.Object({
        exploitation: Type.Optional(Type.String()),
        automatable: Type.Optional(Type.String()),
        technical_impact: Type.Optional(Type.String()),
      }),
      Type.Null(),
    ]),
    references: Type.Array(
      Type.Object({
        url: Type.String(),
        tags: Type.Array(Type.String()),
        exploit: Type.Boolean({ description: 'It shows an exploit, by its tag or by its address.' }),
      }),
      { description: 'Each address once.' },
    ),
    configurations: Type.Array(
      Type.Object({
        operator: OperatorSchema,
        negate: Type.Optional(Type.Boolean()),
        nodes: Type.Array(
          Type.Object({ operator: OperatorSchema, negate: Type.Optional(Type.Boolean()), cpeMatch: Type.Array(MatchSchema) }),
        ),
      }),
    ),
    affected: Type.Array(
      Type.Object({
        vendor: Type.Optional(Type.String()),
        product: Type.Optional(Type.String()),
        packageName: Type.Optional(Type.String()),
        platforms: Type.Optional(Type.Array(Type.String())),
        defaultStatus: StatusSchema,
        versions: Type.Array(
          Type.Object({
            version: Type.String(),
            status: StatusSchema,
            lessThan: Type.Optional(Type.String()),
            lessThanOrEqual: Type.Optional(Type.String()),
            changes: Type.Optional(Type.Array(Type.Object({ at: Type.String(), status: StatusSchema }))),
          }),
        ),
      }),
    ),
    kev_name: NullableTextSchema,
    kev_date_added: DaySchema,
    kev_required_action: NullableTextSchema,
    epss_day: DaySchema,
    epss_model: NullableTextSchema,
    breakdown: ScoreBreakdownSchema,
    priority_history: Type.Array(
      Type.Object({
        at: TimestampSchema,
        old_priority: PrioritySchema,
        new_priority: PrioritySchema,
        old_score: ScoreSchema,
        new_score: ScoreSchema,
        reason: Type.String(),
      }),
    ),
    alerts: Type.Array(
      Type.Object({
        id: UuidSchema,
        state: Type.String(),
        priority: PrioritySchema,
        score: ScoreSchema,
        created_at: TimestampSchema,
        acknowledged_at: NullableTimestampSchema,
        acknowledged_by: NullableTextSchema,
      }),
      { description: 'The newest 50.' },
    ),
    incidents: Type.Array(
      Type.Object({
        id: UuidSchema,
        title: Type.String(),
        status: Type.String(),
        severity: Type.String(),
        level: Type.String(),
        created_at: TimestampSchema,
      }),
      { description: 'The newest 20 that are about it; the list of incidents has them all.' },
    ),
  },
  { $id: 'CveDetail' },
)

/** What somebody runs, as advisories name it. */
export const AssetFactsSchema = Type.Object(
  {
    product: Type.String({ minLength: 1, maxLength: 200 }),
    vendor: Type.Optional(Type.String({ maxLength: 200 })),
    version: Type.Optional(Type.String({ maxLength: 200 })),
    platform: Type.Optional(Type.String({ maxLength: 200, examples: ['Debian 12'] })),
  },
  { additionalProperties: false },
)

export const VerdictSchema = Type.Object(
  {
    verdict: Type.Enum(VERDICTS, { type: 'string' }),
    source: Type.Union([Type.Enum(['NVD', 'CNA'] as const, { type: 'string' }), Type.Null()]),
    configuration: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    criteria: NullableTextSchema,
    range: NullableTextSchema,
    missing: Type.Array(Type.String(), { description: 'Facts that would settle a conditional answer.' }),
    explanation: Type.String(),
  },
  { $id: 'Verdict' },
)
