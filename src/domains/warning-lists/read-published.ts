import { DomainError } from '#kernel/errors.ts'
import type { PublishedList } from './parse-warning-list.ts'

/**
 * A published list from the text of its file. Fields that the format does not know are ignored.
 *
 * @throws validation_failed when the text is no warning list
 */
export function readPublished(text: string): PublishedList {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) throw notAList('it is no JSON object')
  const { name, type, list, description, version, matching_attributes } = value as Record<string, unknown>
  if (typeof name !== 'string') throw notAList('it has no "name"')
  if (typeof type !== 'string') throw notAList('it has no "type"')
  if (!Array.isArray(list)) throw notAList('it has no "list"')
  return {
    name,
    type,
    list,
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof version === 'number' || typeof version === 'string' ? { version } : {}),
    ...(Array.isArray(matching_attributes) ? { matching_attributes: matching_attributes.filter((word) => typeof word === 'string') } : {}),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw notAList('it is no JSON')
  }
}

function notAList(why: string): DomainError {
  return new DomainError('validation_failed', `This is no warning list: ${why}.`)
}
