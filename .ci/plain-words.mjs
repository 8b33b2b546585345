// Words that the rules of English in CONTRIBUTING replace, for comments and Markdown. A process is
// never a person, an act has the field's own verb, and a sentence begins with its subject.
const WORDS = [
  ...['nobody', 'somebody', 'anybody', 'everybody', 'whoever', 'whomever', 'whom'],
  ...['say', 'says', 'said', 'saying', 'tell', 'tells', 'told', 'wish', 'wishes', 'heed', 'heeds'],
  ...['stands', 'stood', 'lies', 'lain', 'mend', 'mends', 'mended', 'spelt', 'learnt'],
  ...['of ours', 'of theirs', 'none such', 'so many', 'so long', 'goes on', 'go on', 'went on'],
  ...['take in', 'takes in', 'taken in', 'takes out', 'taken out', 'taken back', 'gave up'],
  ...['becomes of', 'comes of', 'come of', 'speaks', 'talks', 'talk'],
]

/** Uses of such words that are the field's own. */
const ALLOWED = ['stands for', 'so long as', 'saying hello']

const words = new RegExp(`\\b(?:${WORDS.join('|')})\\b`, 'gi')
const allowed = new RegExp(`\\b(?:${ALLOWED.join('|')})\\b`, 'gi')
const opening = /^(?:What|Who|Whose|Whom|Of|Where|Whether)\b/

const plain = (text) => text.replace(allowed, '').replace(/`[^`]*`/g, '')

/** The words of a text that need a replacement, its opening apart. */
export const misusedWords = (text) => [...plain(text).matchAll(words)].map(([word]) => word)

/** The words of a comment or a statement that need a replacement, its opening included. */
export const privateWords = (text) => [
  ...misusedWords(text),
  ...(plain(text).trim().match(opening) ?? []),
]
