import { Type } from '@fastify/type-provider-typebox'
import { CountSchema, NullableTextSchema, NullableTimestampSchema, TimestampSchema } from '#platform/http/schemas.ts'
import { SOURCE_ORDER } from './cves-sync.service.ts'

export const CveSyncSchema = Type.Object(
  {
    sources: Type.Array(
      Type.Object({
        source: Type.Enum(SOURCE_ORDER, { type: 'string' }),
        status: Type.Enum(['NEVER', 'RUNNING', 'SUCCEEDED', 'FAILED'] as const, {
          type: 'string',
          description: 'Of the last round; RUNNING also for one that was cut off and will be taken up.',
        }),
        started_at: NullableTimestampSchema,
        succeeded_at: NullableTimestampSchema,
        error: Type.Union([Type.String(), Type.Null()], { description: 'For an ADMIN only.' }),
        data_day: NullableTextSchema,
        version: Type.Union([Type.String(), Type.Null()], { description: 'Of KEV the number of the catalogue, of EPSS the model.' }),
        checkpoint: Type.Union([TimestampSchema, Type.Null()], { description: 'Everything that NVD has changed up to here is stored.' }),
        progress: Type.Union([
          Type.Object({ from: TimestampSchema, to: TimestampSchema, read: CountSchema, total: Type.Union([CountSchema, Type.Null()]) }),
          Type.Null(),
        ]),
      }),
    ),
    epss_stale: Type.Boolean({ description: 'EPSS scores are older than 48 hours, or there are none.' }),
  },
  { $id: 'CveSync' },
)
