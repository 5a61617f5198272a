import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'

/** Query and path values are text and become numbers and booleans; bodies are JSON and are taken as they are: coercion would turn null into "". */
export function installValidators(app: FastifyInstance): void {
  const forText = new Ajv({ coerceTypes: true, useDefaults: true, removeAdditional: false, allErrors: false })
  const forBodies = new Ajv({ coerceTypes: false, useDefaults: true, removeAdditional: false, allErrors: false })
  // The module is CommonJS: its default export arrives as a namespace.
  for (const ajv of [forText, forBodies]) (addFormats as unknown as (ajv: Ajv) => void)(ajv)
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? forBodies : forText).compile(schema as object))
}
