/** What a property is compared with. `text` of a string is unescaped; numbers, timestamps, hex and base64 stay as they were written. */
export type Literal = { kind: 'string' | 'integer' | 'float' | 'boolean' | 'timestamp' | 'hex' | 'binary'; text: string }

/** One step of an object path behind the first property: a key (`.name`), or an index (`[0]`, `[*]`). */
export type PathStep = { kind: 'key'; name: string } | { kind: 'index'; index: string }

/** `network-traffic:dst_ref.value`: the object type, then the steps; the first one is a key. */
export type ObjectPath = { type: string; steps: PathStep[] }

/** Comparison operators as printed; `==` and `<>` are read as `=` and `!=`. */
export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'IN' | 'LIKE' | 'MATCHES' | 'ISSUBSET' | 'ISSUPERSET'

export type Comparison =
  | { kind: 'test'; path: ObjectPath; negated: boolean; operator: Operator; operands: Literal[] }
  | { kind: 'exists'; path: ObjectPath }
  | { kind: 'and' | 'or'; operands: Comparison[] }

export type Qualifier =
  | { kind: 'within'; seconds: string }
  | { kind: 'repeats'; times: string }
  | { kind: 'startstop'; start: string; stop: string }

export type Observation =
  | { kind: 'observation'; comparison: Comparison }
  | { kind: 'and' | 'or' | 'followedby'; operands: Observation[] }
  | { kind: 'qualified'; of: Observation; qualifiers: Qualifier[] }

/** A property name that needs no quotes, and no keyword. Source: STIX 2.1, 9.2, the grammar's IdentifierWithoutHyphen. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

export const KEYWORDS: ReadonlySet<string> = new Set(
  'AND OR NOT FOLLOWEDBY LIKE MATCHES ISSUPERSET ISSUBSET EXISTS IN START STOP SECONDS TRUE FALSE true false WITHIN REPEATS TIMES'.split(
    ' ',
  ),
)

/** A pattern in one spelling: reading it again gives the same tree. */
export function printPattern(pattern: Observation): string {
  switch (pattern.kind) {
    case 'observation':
      return `[${printComparison(pattern.comparison)}]`
    case 'qualified':
      return [grouped(pattern.of), ...pattern.qualifiers.map(printQualifier)].join(' ')
    default:
      return pattern.operands.map(grouped).join(` ${pattern.kind.toUpperCase()} `)
  }
}

/** An object path in one spelling: `file:hashes.'SHA-256'`. */
export function printPath({ type, steps }: ObjectPath): string {
  const [first, ...rest] = steps.map((step) => (step.kind === 'index' ? `[${step.index}]` : printName(step.name)))
  const tail = rest.map((text, i) => (steps[i + 1]?.kind === 'index' ? text : `.${text}`)).join('')
  return `${type}:${first ?? ''}${tail}`
}

/** Parentheses round everything but a bracket: the tree then does not depend on precedence. */
function grouped(pattern: Observation): string {
  const text = printPattern(pattern)
  return pattern.kind === 'observation' ? text : `(${text})`
}

function printComparison(comparison: Comparison): string {
  switch (comparison.kind) {
    case 'exists':
      return `EXISTS ${printPath(comparison.path)}`
    case 'test': {
      const { path, negated, operator, operands } = comparison
      const list = operands.map(printLiteral).join(', ')
      return `${printPath(path)} ${negated ? 'NOT ' : ''}${operator} ${operator === 'IN' ? `(${list})` : list}`
    }
    default:
      return comparison.operands
        .map((operand) => (operand.kind === 'and' || operand.kind === 'or' ? `(${printComparison(operand)})` : printComparison(operand)))
        .join(` ${comparison.kind.toUpperCase()} `)
  }
}

function printQualifier(qualifier: Qualifier): string {
  if (qualifier.kind === 'within') return `WITHIN ${qualifier.seconds} SECONDS`
  if (qualifier.kind === 'repeats') return `REPEATS ${qualifier.times} TIMES`
  return `START t'${qualifier.start}' STOP t'${qualifier.stop}'`
}

function printLiteral({ kind, text }: Literal): string {
  switch (kind) {
    case 'string':
      return quoted(text)
    case 'timestamp':
      return `t'${text}'`
    case 'hex':
      return `h'${text}'`
    case 'binary':
      return `b'${text}'`
    default:
      return text
  }
}

function printName(name: string): string {
  return PLAIN_NAME.test(name) && !KEYWORDS.has(name) ? name : quoted(name)
}

/** Source: STIX 2.1, 9.2: only the quote and the backslash are escaped. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
