import { Type } from '@fastify/type-provider-typebox'
import { ROLES } from '#kernel/actor.ts'
import { CountSchema, NullableTextSchema, NullableTimestampSchema, TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'
import { PASSWORD_MAX_LENGTH, USER_STATUSES, USERS_PAGE_MAX, USERS_PAGE_ROWS } from './accounts.model.ts'

/** PostgreSQL holds no NUL. */
const WITHOUT_NUL = '^[^\\u0000]*$'
/** Longest text that is looked at as a password; the rule itself is the service's, so that the refusal names it. */
const PasswordSchema = Type.String({ minLength: 1, maxLength: 4 * PASSWORD_MAX_LENGTH })
const EmailSchema = Type.Union([Type.String({ format: 'email', maxLength: 320 }), Type.Null()])
const RoleSchema = Type.Enum(ROLES, { type: 'string' })
const StatusSchema = Type.Enum(USER_STATUSES, { type: 'string' })
/** Input is taken in any case; the service refuses what is none of the words. */
const RoleInputSchema = Type.String({ maxLength: 16, description: ROLES.join(', ') })
const StatusInputSchema = Type.String({ maxLength: 16, description: USER_STATUSES.join(', ') })

export const LoginSchema = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 64, pattern: WITHOUT_NUL }),
    password: Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH }),
    grant_type: Type.Optional(Type.Literal('password')),
    transport: Type.Optional(
      Type.Enum(['body', 'cookie'] as const, {
        type: 'string',
        description: 'Where the refresh token goes: into the answer, or into an HttpOnly cookie for a browser of the same site.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const TokenSchema = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.Optional(Type.String({ description: 'Absent when it went into the cookie. Good for one exchange.' })),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token ends.' }),
})

export const RefreshSchema = Type.Object(
  { refresh_token: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'Left out when the cookie holds it.' })) },
  { additionalProperties: false },
)

export const UserSchema = Type.Object(
  {
    id: UuidSchema,
    username: Type.String(),
    email: NullableTextSchema,
    role: RoleSchema,
    status: StatusSchema,
    version: Type.Integer(),
    created_at: TimestampSchema,
    last_login_at: NullableTimestampSchema,
  },
  { $id: 'User' },
)

export const UserQuerySchema = Type.Object(
  {
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Integer({ minimum: 1, maximum: USERS_PAGE_MAX, default: USERS_PAGE_ROWS }),
  },
  { additionalProperties: false },
)

export const UserPageSchema = Type.Object({
  items: Type.Array(Type.Object({ ...UserSchema.properties, active_sessions: CountSchema })),
  total: CountSchema,
  total_exact: Type.Boolean(),
  next: NullableTextSchema,
})

const GeneratedPasswordSchema = Type.Union([Type.String(), Type.Null()], { description: 'Shown this once; null when it was chosen.' })

export const NewUserSchema = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 64 }),
    role: RoleInputSchema,
    email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
    password: Type.Optional(PasswordSchema),
  },
  { additionalProperties: false },
)
export const CreatedUserSchema = Type.Object({ ...UserSchema.properties, generated_password: GeneratedPasswordSchema })

export const UserPatchSchema = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'What the editor saw; a stale one is refused.' }),
    ),
    role: Type.Optional(RoleInputSchema),
    status: Type.Optional(StatusInputSchema),
    email: Type.Optional(EmailSchema),
  },
  { additionalProperties: false },
)

export const PasswordResetSchema = Type.Object({ password: Type.Optional(PasswordSchema) }, { additionalProperties: false })
export const PasswordResetDoneSchema = Type.Object({ generated_password: GeneratedPasswordSchema })
export const SessionsRevokedSchema = Type.Object({ revoked: CountSchema })
export const OwnPasswordSchema = Type.Object(
  { current_password: PasswordSchema, new_password: PasswordSchema },
  { additionalProperties: false },
)

export const OwnSessionsSchema = Type.Object({
  items: Type.Array(
    Type.Object({
      id: UuidSchema,
      created_at: TimestampSchema,
      last_used_at: TimestampSchema,
      expires_at: TimestampSchema,
      client_ip: NullableTextSchema,
      user_agent: NullableTextSchema,
      current: Type.Boolean({ description: 'The session of this request.' }),
    }),
  ),
})
