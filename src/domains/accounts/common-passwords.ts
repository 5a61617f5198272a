/**
 * Whether a password is one that attackers try first: a word of the list, a short piece said again and again, or a walk along the keyboard, the
 * alphabet or the digits. Lengths below the shortest allowed need no list.
 */
export function isCommonPassword(password: string): boolean {
  const plain = password.toLowerCase()
  const letters = plain.replace(/[^a-z0-9]/g, '')
  return COMMON.has(plain) || COMMON.has(letters) || COMMON.has(spellOut(letters)) || isRepeated(plain) || isWalk(letters)
}

/** Passwords of 12 characters and more that head the lists of leaks, in lower case, without blanks and signs. Our own collection of well-known ones. */
const COMMON: ReadonlySet<string> = new Set(
  `
  passwordpassword password1234 password12345 password123456 password1234567 password12345678 password123456789 passw0rd1234 mypassword12
  mypassword123 mypassword1234 thepassword1 newpassword1 newpassword12 newpassword123 adminpassword adminadmin12 adminadmin123 admin1234567
  admin12345678 administrator administrator1 administrator12 administrator123 rootrootroot roottoor1234 changemeplease changeme1234 changeme12345
  changeme123456 pleasechangeme letmeinplease letmein12345 letmein123456 welcome12345 welcome123456 welcome1234567 welcometo1234 welcomehome1
  iloveyou1234 iloveyou12345 iloveyoubaby iloveyouforever iloveyousomuch trustno1trustno1 qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789
  qwertyqwerty qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwertyuiopasdf asdfghjkl123 asdfghjkl1234 zxcvbnm12345 zxcvbnm123456 1q2w3e4r5t6y
  1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc qazwsxedcrfv qazwsxedcrfvtgb zaq12wsxcde3 q1w2e3r4t5y6 q1w2e3r4t5y6u7i8
  a1b2c3d4e5f6 a1b2c3d4e5f6g7h8 abc123abc123 abcd1234abcd 123abc123abc abcdef123456 abc123456789 a123456789012 aa1234567890 qwe123qwe123
  123qwe123qwe asd123asd123 test12345678 test123456789 testtesttest testpassword testing12345 demopassword defaultpassword defaultpass1 default12345
  temppassword temporary123 temporarypassword guestguestguest userpassword superpassword supersecret1 supersecretpassword topsecret123 secretpassword
  secretsecret secret123456 mysecretpassword sysadmin1234 systemadmin1 operator1234 securitypassword company12345 companypassword internet1234
  computer1234 computer12345 football1234 football12345 baseball1234 basketball12 basketball123 liverpool123 liverpool1234 manchester123 manunited123
  chelsea12345 arsenal12345 barcelona123 realmadrid12 realmadrid123 superman1234 superman12345 batman123456 spiderman123 pokemon12345 starwars1234
  starwars12345 dragon123456 monkey123456 sunshine1234 sunshine12345 princess1234 princess12345 butterfly123 chocolate123 jessica12345 michael12345
  jennifer1234 charlie12345 jordan123456 michelle1234 samantha1234 victoria1234 elizabeth123 alexander123 christopher1 masterpassword master123456
  hello1234567 helloworld12 helloworld123 helloworld1234 goodmorning1 whatever1234 computerscience correcthorsebattery correcthorsebatterystaple
  thisismypassword thisisapassword nopassword12 nopassword123 forgotpassword passphrase123 summer202512 winter202512 spring202512 autumn202512
  threatintel1 threatintelligence cybersecurity cybersecurity1 cybersecurity123 incidentresponse
  `
    .trim()
    .split(/\s+/),
)

/** Signs that stand for letters in half of all `clever` passwords. */
const STANDS_FOR: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' }

function spellOut(text: string): string {
  return text.replace(/[013457]/g, (digit) => STANDS_FOR[digit] ?? digit)
}

/** Longest piece that makes a password by being repeated, characters. */
const MAX_PIECE = 8

function isRepeated(text: string): boolean {
  for (let length = 1; length <= MAX_PIECE; length++) {
    if (
      text.length >= 2 * length &&
      text ===
        text
          .slice(0, length)
          .repeat(Math.ceil(text.length / length))
          .slice(0, text.length)
    )
      return true
  }
  return false
}

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  '1234567890',
  '0123456789',
  '9876543210',
  'zyxwvutsrqponmlkjihgfedcba',
]

function isWalk(text: string): boolean {
  return text.length > 0 && ROWS.some((row) => row.repeat(Math.ceil(text.length / row.length) + 1).includes(text))
}
