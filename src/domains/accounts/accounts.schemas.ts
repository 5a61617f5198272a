import { Type } from '@fastify/type-provider-typebox'
import { ROLES } from '#kernel/actor.ts'
import { NullableTextSchema, NullableTimestampSchema, TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'
import { USER_STATUSES } from './accounts.model.ts'

export const LoginSchema = Type.Object(
  {
    // PostgreSQL has no text with NUL in it: neither an account nor the journal could hold such a name.
    username: Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\u0000]*$' }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    grant_type: Type.Optional(Type.Literal('password')),
  },
  { additionalProperties: false },
)

export const TokenSchema = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token ends.' }),
})

export const UserSchema = Type.Object({
  id: UuidSchema,
  username: Type.String(),
  email: NullableTextSchema,
  role: Type.Enum(ROLES, { type: 'string' }),
  status: Type.Enum(USER_STATUSES, { type: 'string' }),
  version: Type.Integer(),
  created_at: TimestampSchema,
  last_login_at: NullableTimestampSchema,
})
