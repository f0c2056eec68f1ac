// A page that is written while it is open. What comes stands in scripts beside the page, because that is all that a page of a file may
// read: `now.js` says what there is, `1.js`, `2.js` and so on hold the lines that have come. Each of them calls `tcaReplay` with data.

/** So long the page waits before it looks again, in milliseconds. */
const pause = 400;

/**
 * What `now.js` says: which writing of the page this is, the first part that the page does not hold, the last part that there is, and, as a
 * sign that the command runs, how often it was written and the seconds within which it is written again; and whether it was the last time.
 * @typedef {{ generation: string, next: number, last: number, beat: number, patience: number, ended: boolean }} News
 */

/**
 * What the page does with the news.
 * @typedef {object} Receiver
 * @property {(text: string) => void} lines Lines of the log that have come.
 * @property {() => void} settled All that had come was taken.
 * @property {() => void} replaced The page was written anew.
 * @property {() => void} silent There was no sign of the command for too long. Something may still come.
 * @property {() => void} resumed There is a sign again.
 * @property {() => void} ended Nothing more comes.
 */

/**
 * Whether the command that writes the page has given a sign lately. Looks are counted, and no time is measured: a page in the background looks
 * less often, and a computer that slept has not looked at all.
 */
export class Sign {
  constructor() {
    this.beat = -1;
    /** How many looks have found the same. */
    this.looks = 0;
    this.isSilent = false;
  }

  /** @param {{ beat: number, patience: number }} news What a look has found. */
  take({ beat, patience }) {
    this.looks = beat === this.beat ? this.looks + 1 : 0;
    this.beat = beat;
    this.isSilent = this.looks * pause > patience * 1000;
  }
}

export class Feed {
  /**
   * @param {Map<string, any>} live What the page was told: `folder`, `generation` and `next`.
   * @param {Receiver} receiver
   */
  constructor(live, receiver) {
    this.folder = encodeURIComponent(String(live.get("folder")));
    this.generation = String(live.get("generation"));
    this.next = Number(live.get("next"));
    this.receiver = receiver;
    this.looks = 0;
    this.sign = new Sign();
    /** @type {any} */
    this.message = undefined;
  }

  start() {
    const page = /** @type {any} */ (window);
    page.tcaReplay = (/** @type {any} */ message) => {
      this.message = message;
    };
    this.look();
  }

  async look() {
    this.looks += 1;
    // The number makes it another file for the browser, which otherwise may show the one that it has.
    const news = readNews(await this.messageOf(`now.js?${this.looks}`));
    if (news === undefined || news.ended) return this.receiver.ended();
    if (news.generation !== this.generation) return this.receiver.replaced();
    const { isSilent } = this.sign;
    this.sign.take(news);
    if (this.sign.isSilent !== isSilent) this.sign.isSilent ? this.receiver.silent() : this.receiver.resumed();
    const first = this.next;
    while (this.next <= news.last) {
      const part = await this.messageOf(`${this.next}.js`);
      if (part?.part !== this.next || typeof part.text !== "string") {
        // It was taken away after the page was written with it, or by another hand.
        return news.next > this.next ? this.receiver.replaced() : this.receiver.ended();
      }
      this.next += 1;
      this.receiver.lines(part.text);
    }
    if (this.next > first) this.receiver.settled();
    setTimeout(() => this.look(), pause);
    return undefined;
  }

  /**
   * What a script beside the page says; `undefined` if there is no such script.
   * @param {string} name
   * @returns {Promise<any>}
   */
  messageOf(name) {
    return new Promise((done) => {
      const script = document.createElement("script");
      script.charset = "utf-8";
      this.message = undefined;
      script.onload = script.onerror = () => {
        script.remove();
        done(this.message);
      };
      script.src = `${this.folder}/${name}`;
      document.head.append(script);
    });
  }
}

/**
 * @param {any} message
 * @returns {News | undefined}
 */
function readNews(message) {
  const { generation, next, last, beat, patience, ended } = message ?? {};
  return typeof generation === "string" && [next, last, beat, patience].every(Number.isInteger) ? { generation, next, last, beat, patience, ended: ended === true } : undefined;
}
