import { DomainError } from '#kernel/errors.ts'

/** Any origin, without its cookies. Refused in production. */
export const ANY_ORIGIN = '*'

/**
 * The setting CORS_ORIGINS: origins of other sites as browsers write them, `https://host[:port]`, separated by commas, or `*`.
 * @throws setting_invalid for anything that no browser sends as an origin, `null` included
 */
export function parseOrigins(setting: string): ReadonlySet<string> {
  const origins = setting
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  for (const origin of origins) {
    if (origin !== ANY_ORIGIN && !isWebOrigin(origin))
      throw new DomainError(
        'setting_invalid',
        'CORS_ORIGINS takes origins such as https://portal.example.org, without a path, separated by commas.',
      )
  }
  return new Set(origins)
}

function isWebOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
