import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'

/** Query and path values are text and become numbers and booleans; bodies are JSON and are taken as they are: coercion would turn null into "". */
export function installValidators(app: FastifyInstance): void {
  const forText = new Ajv({ coerceTypes: true, useDefaults: true, removeAdditional: false, allErrors: false })
  const forBodies = new Ajv({ coerceTypes: false, useDefaults: true, removeAdditional: false, allErrors: false })
  // The module is CommonJS: its default export arrives as a namespace.
  for (const ajv of [forText, forBodies]) (addFormats as unknown as (ajv: Ajv) => void)(ajv)
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return forBodies.compile(schema as object)
    return refusingInfinity(forText.compile(schema as object))
  })
}

type Check = ((data: unknown) => boolean) & { errors?: ErrorObject[] | null }

/** `1e999` becomes Infinity where a whole number is wanted, and the range checks of Ajv leave infinite numbers out. */
function refusingInfinity(validate: ValidateFunction): Check {
  const check: Check = (data) => {
    const isValid = validate(data)
    const infinite = Object.entries(data ?? {}).find(
      ([, value]) => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY,
    )
    if (!isValid || infinite === undefined) {
      check.errors = validate.errors ?? null
      return isValid
    }
    check.errors = [{ instancePath: `/${infinite[0]}`, schemaPath: '', keyword: 'maximum', params: {}, message: 'is out of range' }]
    return false
  }
  return check
}
