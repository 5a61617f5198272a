/** Java's products, whose updates are written in three ways. Source: JEP 223, "Version-string history". */
const JAVA = new Set(['jre', 'jdk', 'openjdk', 'javase', 'java_se', 'graalvm'])
const JAVA_UNDERSCORE = /^(1\.\d+(?:\.\d+)?)_(\d+)/
const JAVA_SHORT = /^(\d{1,2})u(\d+)/i

/**
 * A version in the scheme that CPE uses for the product: 1.8.0_112 and 8u112 of Java are `1.8.0 u112`. Other products have no such second
 * scheme, and keep theirs.
 */
export function toComparableVersion(product: string, version: string | undefined): string | undefined {
  if (version === undefined || !JAVA.has(product)) return version
  return version.trim().replace(JAVA_UNDERSCORE, '$1 u$2').replace(JAVA_SHORT, '1.$1.0 u$2')
}
