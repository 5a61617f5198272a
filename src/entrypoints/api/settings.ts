import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { describeConfig } from '#platform/config/describe-config.ts'
import type { Config } from '#platform/config/settings.ts'
import { ADMINS } from '#platform/http/access.ts'
import { NullableTextSchema, problems } from '#platform/http/schemas.ts'

const SettingSchema = Type.Object({
  setting: Type.String({ examples: ['FEED_MAX_BYTES'] }),
  value: NullableTextSchema,
  present: Type.Boolean(),
  secret: Type.Boolean(),
  about: Type.String(),
})
const SettingListSchema = Type.Object({ items: Type.Array(SettingSchema) })

/** The settings in effect in this process. Source: spec, "Authentication and accounts". */
export function settingRoutes(config: Config): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/settings',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'listSettings',
          summary: 'Settings in effect; of secrets only whether they are set',
          tags: ['settings'],
          response: { 200: SettingListSchema, ...problems(401, 403) },
        },
      },
      () => ({ items: describeConfig(config) }),
    )
  }
}
