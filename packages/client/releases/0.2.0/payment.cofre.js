/*! payment.cofre 0.2.0 */
var Cofre = (function (exports) {
    'use strict';

    // Ranges: Elo's own list as relayed by public BIN projects; 650057-650081 and 651680-651704 are
    // from a Brazilian integrator (2026) and not confirmed by the brand. Order matters: Elo lies inside
    // Visa's, Discover's and others' ranges.
    /** Most brands: sixteen digits with a check digit, a CVV of three, accepted. */
    const usual = { lengths: [16], cvvSize: 3, luhn: true, accepted: true };
    const refused = { ...usual, lengths: [16, 19], accepted: false };
    /** Every brand we recognise, most specific first. */
    const CARD_BRANDS = [
        {
            ...usual,
            name: 'elo',
            prefixes: '401178-401179,431274,438935,451416,457393,457631-457632,504175,506699-506778,509000-509999,627780,636297,636368,' +
                '650031-650033,650035-650051,650057-650081,650405-650439,650485-650538,650541-650598,650700-650718,' +
                '650720-650727,650901-650978,651652-651704,655000-655019,655021-655058',
        },
        {
            ...usual,
            name: 'hipercard',
            prefixes: '606282,384100,384140,384160',
            lengths: [16, 19],
            luhn: false,
        },
        { ...usual, name: 'amex', prefixes: '34,37', lengths: [15], cvvSize: 4 },
        { ...usual, name: 'diners', prefixes: '300-305,36,38,39', lengths: [14, 16, 19] },
        { ...usual, name: 'mastercard', prefixes: '51-55,2221-2720' },
        { ...usual, name: 'visa', prefixes: '4', lengths: [13, 16, 19] },
        { ...refused, name: 'discover', prefixes: '6011,644-649,65' },
        { ...refused, name: 'jcb', prefixes: '3528-3589' },
        { ...refused, name: 'aura', prefixes: '507860' },
    ];
    /** Each brand's prefix ranges, taken apart once. */
    const RANGES = CARD_BRANDS.map(({ prefixes }) => prefixes.split(',').map((range) => {
        const [first = '', last = first] = range.split('-');
        return [first, last];
    }));
    /** The brand of a PAN, or of its first digits; undefined when none is recognised. */
    function brandOf(digits) {
        return CARD_BRANDS.find((_, i) => RANGES[i]?.some(([first, last]) => {
            const start = digits.slice(0, first.length);
            return start.length === first.length && start >= first && start <= last;
        }));
    }

    /** ISO/IEC 7812-1 Annex B. */
    function passesLuhn(digits) {
        let sum = 0;
        for (let i = 0; i < digits.length; i++) {
            const digit = Number(digits[digits.length - 1 - i]);
            const doubled = digit * 2;
            sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
        }
        return sum % 10 === 0;
    }
    /** Whether the PAN has a length of its brand and, where the brand uses one, a right check digit. */
    function isCardNumber(number, brand) {
        return (/^\d+$/.test(number) &&
            brand !== undefined &&
            brand.lengths.includes(number.length) &&
            (!brand.luhn || passesLuhn(number)));
    }
    /** A card is good to its month's last day, anywhere on Earth; 20 years ahead is a typing error. */
    function isExpiryAhead(month, year, nowMs) {
        if (!/^(0[1-9]|1[0-2])$/.test(month) || !/^\d{4}$/.test(year))
            return false;
        // The first moment of the following month at UTC-12, the last time zone to reach it.
        const endMs = Date.UTC(Number(year), Number(month), 1, 12);
        return endMs > nowMs && Number(year) <= new Date(nowMs).getUTCFullYear() + 20;
    }
    /** The fields that are wrong, all at once; empty when the card may be sent. */
    function wrongCardFields(card, nowMs) {
        const brand = brandOf(card.number);
        const wrong = [];
        if (!isCardNumber(card.number, brand))
            wrong.push('number');
        const cvvSize = brand?.cvvSize ?? card.cvv.length;
        if (!/^\d{3,4}$/.test(card.cvv) || card.cvv.length !== cvvSize)
            wrong.push('cvv');
        const isMonth = /^(0[1-9]|1[0-2])$/.test(card.month);
        if (!isMonth)
            wrong.push('month');
        if (!isExpiryAhead(isMonth ? card.month : '12', card.year, nowMs))
            wrong.push('year');
        return wrong;
    }

    /** What `createDirectToken` rejects with. Never carries card data. */
    class DirectTokenError extends Error {
        constructor(code, fields = []) {
            super(code);
            this.code = code;
            this.fields = fields;
        }
    }

    /** The page's time, in milliseconds since 1970; tests stop it with fake timers. */
    function nowMs() {
        // eslint-disable-next-line no-restricted-properties -- A page has no other clock.
        return Date.now();
    }

    const isObject = (value) => Object(value) === value;
    const isText = (value) => typeof value === 'string' || typeof value === 'number';
    const text = (value) => (isText(value) ? String(value).trim() : '');
    /** The digits of a number as people write it. */
    function cardNumber(typed) {
        return text(typed).replace(/[\s-]/g, '');
    }
    /** Number, CVV, month and year. */
    function properties(card) {
        const { creditCard, cvv, expiration } = isObject(card) ? card : {};
        const { month, year } = isObject(expiration) ? expiration : {};
        return [creditCard, cvv, month, year];
    }
    function cardDetails(card) {
        const [number, cvv, month, year] = properties(card);
        return {
            number: cardNumber(number),
            cvv: text(cvv),
            month: text(month).padStart(2, '0'),
            year: text(year).replace(/^\d\d$/, '20$&'),
        };
    }
    /** The fields that are missing or wrong, all at once. */
    function wrongFields(card) {
        return wrongCardFields(cardDetails(card), nowMs());
    }
    /** @throws DirectTokenError with a code `creditcard_…` */
    function readCard(card) {
        if (!isObject(card))
            throw new DirectTokenError('creditcard_object_malformed');
        if (!properties(card).every(isText))
            throw new DirectTokenError('creditcard_invalid_object');
        const wrong = wrongFields(card);
        if (wrong.length > 0)
            throw new DirectTokenError('creditcard_invalid_fields', wrong);
        return cardDetails(card);
    }

    // What the browser library and the vault agree on: the session and the profile of the direct token,
    // a compact JWE (RFC 7516) with ECDH-ES direct key agreement (RFC 7518 4.6) on P-256 and A256GCM
    // (RFC 7518 5.3).
    /** How long a direct token pays. */
    const DIRECT_TOKEN_ALG = 'ECDH-ES';
    const DIRECT_TOKEN_ENC = 'A256GCM';
    /** One length, so that a token's says nothing of its card; the longest card and store id fit. */
    const DIRECT_TOKEN_PLAINTEXT_BYTES = 192;

    function utf8(text) {
        return new TextEncoder().encode(text);
    }
    /** RFC 7515 2: without padding. */
    function base64url(bytes) {
        return btoa(String.fromCharCode(...bytes))
            .replace(/\+/g, '-')
            .replace(/\//g, '_')
            .replace(/=/g, '');
    }

    const uint32 = (value) => [0, 0, value >> 8, value & 255];
    const lengthPrefixed = (ascii) => [...uint32(ascii.length), ...utf8(ascii)];
    /**
     * Concat KDF of NIST SP 800-56A as RFC 7518 4.6.2 uses it.
     * @param keyBits - At most 256: one round of SHA-256.
     * @param purpose - AlgorithmID, PartyUInfo and PartyVInfo, in ASCII.
     */
    async function concatKdf(sharedSecret, keyBits, purpose) {
        const round = Uint8Array.of(...uint32(1), ...new Uint8Array(sharedSecret), ...purpose.flatMap(lengthPrefixed), ...uint32(keyBits));
        return (await crypto.subtle.digest('SHA-256', round)).slice(0, keyBits / 8);
    }

    const CURVE = { name: 'ECDH', namedCurve: 'P-256' };
    // Of the shared secret (the x of a point on P-256) and of the AES key alike.
    const KEY_BITS = 256;
    const IV_BYTES = 12;
    const SPACE = 32;
    const json = (value) => utf8(JSON.stringify(value));
    function paddedPlaintext(payload) {
        const plaintext = new Uint8Array(DIRECT_TOKEN_PLAINTEXT_BYTES).fill(SPACE);
        plaintext.set(json(payload));
        return plaintext;
    }
    /**
     * Agrees on a key with the vault, by a key pair made for this session alone. None of it depends on
     * the card, so that it is done before there is one.
     * @throws when the session's key is no point of the curve
     */
    async function agreeOnKey(session) {
        const { subtle } = crypto;
        const ephemeral = await subtle.generateKey(CURVE, false, ['deriveBits']);
        const { kty, crv, x, y } = await subtle.exportKey('jwk', ephemeral.publicKey);
        const sharedSecret = await subtle.deriveBits({ ...CURVE, public: await subtle.importKey('jwk', session['public-key'], CURVE, false, []) }, ephemeral.privateKey, KEY_BITS);
        return {
            header: base64url(json({
                alg: DIRECT_TOKEN_ALG,
                enc: DIRECT_TOKEN_ENC,
                epk: { kty, crv, x, y },
                kid: session.id,
            })),
            key: await subtle.importKey('raw', await concatKdf(sharedSecret, KEY_BITS, [DIRECT_TOKEN_ENC, '', '']), 'AES-GCM', false, ['encrypt']),
        };
    }
    /**
     * The direct token: a compact JWE (RFC 7516) of the card.
     * @throws RangeError when the payload does not fit its padding, because the store id is too long
     */
    async function encryptDirectToken(payload, { header, key }) {
        const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
        const algorithm = { name: 'AES-GCM', iv, additionalData: utf8(header) };
        const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, paddedPlaintext(payload)));
        const parts = [iv, sealed.slice(0, -16), sealed.slice(-16)];
        // The second segment, the encrypted key, is empty: direct key agreement has none.
        return header + '..' + parts.map(base64url).join('.');
    }

    function pause(durationMs) {
        return new Promise((resolve) => setTimeout(resolve, durationMs));
    }

    /** Longer than a healthy response takes, short enough to retry while the shopper waits. */
    const VAULT_ANSWER_TIMEOUT_MS = 10000;
    /**
     * POSTs to the vault as a CORS simple request (no preflight; a string body is sent as
     * `text/plain`), without cookies.
     * @throws when the network fails, or the response with its body takes longer than ten seconds
     */
    async function postToVault(url, body) {
        const abort = new AbortController();
        void pause(VAULT_ANSWER_TIMEOUT_MS).then(() => {
            abort.abort();
        });
        const { signal } = abort;
        const response = await fetch(url, { method: 'POST', body, credentials: 'omit', signal });
        return { status: response.status, body: await response.text() };
    }

    const RETRY_PAUSE_MS = 400;
    const CREATED = 201;
    const SESSION_GONE = 410;
    const CARD_REFUSED = 422;
    const TOO_MANY_REQUESTS = 429;
    // No status of HTTP, but to be treated as the vault's failures are.
    const NO_ANSWER = 599;
    function postToken(baseUrl, token) {
        return postToVault(baseUrl + '/direct-tokens', token).then((answer) => answer.status, () => NO_ANSWER);
    }
    /**
     * Encrypts the card and leaves it in the vault, then lets the next session open in the background.
     * @param renewals - How many times a session that the vault has lost is replaced.
     * @returns the direct token
     * @throws DirectTokenError `creditcard_invalid_fields` when the vault refuses the card,
     *   `credit_card_internal_error`, and those of {@link SessionPool.take}
     */
    async function depositCard(deps, payload, renewals = 1) {
        const token = await encryptDirectToken(payload, await deps.sessions.take(deps.sessionTimeoutMs));
        let status = await postToken(deps.baseUrl, token);
        if (status === TOO_MANY_REQUESTS || status >= 500) {
            // The vault answers the same token as before, so a lost answer does no harm.
            await pause(RETRY_PAUSE_MS);
            status = await postToken(deps.baseUrl, token);
        }
        if (status === SESSION_GONE && renewals > 0) {
            deps.sessions.discard();
            return depositCard(deps, payload, renewals - 1);
        }
        deps.sessions.prepare();
        if (status === CREATED)
            return token;
        throw new DirectTokenError(status === CARD_REFUSED ? 'creditcard_invalid_fields' : 'credit_card_internal_error');
    }

    const RENEW_AFTER_SHARE = 0.8;
    const SECOND_MS = 1000;
    // A longer delay makes a timer fire at once, and renewals would follow each other without end.
    const TIMER_MS_MAX = 2 ** 31 - 1;
    function whatIsMissing(baseUrl) {
        if (!baseUrl)
            return 'baseUrl';
        // An insecure page has a `crypto` without it.
        if ('subtle' in crypto)
            return '';
        return globalThis.isSecureContext ? 'WebCrypto' : 'HTTPS';
    }
    async function readSession({ status, body }) {
        // The one place where the vault's answer gets its type; agreeOnKey refuses what is no key.
        const answer = JSON.parse(body);
        const lifetimeMs = answer['expires-in'] * SECOND_MS;
        const isTime = lifetimeMs >= SECOND_MS && lifetimeMs <= TIMER_MS_MAX;
        if (status !== 201 || !answer.id || !isTime)
            throw new TypeError();
        return {
            ...(await agreeOnKey(answer)),
            renewAtMs: nowMs() + lifetimeMs * RENEW_AFTER_SHARE,
        };
    }
    /** @throws DirectTokenError `session_network_error`, `session_create_error` */
    async function openSession(baseUrl) {
        const missing = whatIsMissing(baseUrl);
        if (missing) {
            console.error('session_create_error: no ' + missing);
            throw new DirectTokenError('session_create_error');
        }
        const answer = await postToVault(baseUrl + '/sessions', '').catch(() => {
            throw new DirectTokenError('session_network_error');
        });
        return readSession(answer).catch(() => {
            throw new DirectTokenError('session_create_error');
        });
    }

    function isStale({ session }) {
        return session !== undefined && session.renewAtMs <= nowMs();
    }
    function createSessionPool(baseUrl) {
        let waiting;
        function open() {
            const opening = { outcome: openSession(baseUrl) };
            opening.outcome.then((session) => {
                opening.session = session;
                renewBeforeExpiry(opening, session);
            }, () => {
                // Whoever took this session gets the failure; the next call opens another.
                if (waiting === opening)
                    waiting = undefined;
            });
            return opening;
        }
        function renewBeforeExpiry(opening, session) {
            // Without a page to leave, a timer would only keep a server-side render from ending.
            if (typeof document === 'undefined')
                return;
            setTimeout(() => {
                // A hidden page may be an abandoned one: `take` renews if the shopper comes back.
                if (waiting === opening && !document.hidden)
                    waiting = open();
            }, session.renewAtMs - nowMs());
        }
        function prepared() {
            if (!waiting || isStale(waiting))
                waiting = open();
            return waiting;
        }
        return {
            prepare: () => void prepared(),
            isReady: () => waiting?.session !== undefined && !isStale(waiting),
            discard: () => {
                waiting = undefined;
            },
            take: async (timeoutMs) => {
                const opening = prepared();
                waiting = undefined;
                const session = await Promise.race([opening.outcome, pause(timeoutMs)]);
                if (session)
                    return session;
                waiting ?? (waiting = opening);
                throw new DirectTokenError('session_creating_in_progress');
            },
        };
    }
    const pools = new Map();
    /** The pool that every instance on the page with the same vault shares. */
    function sessionPoolAt(baseUrl) {
        const pool = pools.get(baseUrl) ?? createSessionPool(baseUrl);
        pools.set(baseUrl, pool);
        return pool;
    }

    const SESSION_TIMEOUT_MS = 3000;
    /**
     * Turns a card into a direct token without the card passing through the shop's server. Opens a
     * session with the vault at once, so make one as soon as the page loads; instances with the same
     * vault share their sessions. A page with a Content-Security-Policy lists the vault in `script-src`
     * and `connect-src`.
     */
    class PaymentMethod {
        constructor(options) {
            // Own properties alone: a page's flaw that pollutes Object.prototype must not redirect cards.
            const own = { __proto__: null, ...options };
            const { baseUrl = PaymentMethod.baseUrl, sessionTimeout = SESSION_TIMEOUT_MS, store } = own;
            const url = baseUrl.replace(/\/+$/, '');
            this.deps = { baseUrl: url, sessions: sessionPoolAt(url), sessionTimeoutMs: sessionTimeout };
            this.store = store;
            this.deps.sessions.prepare();
        }
        /**
         * Encrypts the card, leaves it in the vault and calls back with the token that pays with it,
         * once, within 15 minutes. May be called as often as needed, also while an earlier call is under
         * way. What the callback throws reaches the page's error handler.
         * @param callback - Gets `(null, directToken)`, or the reason as `(err)`.
         * @returns false, with `callback_must_be_a_function` on the console, without a callback
         */
        getDirectToken(card, callback) {
            if (typeof callback !== 'function') {
                console.error('callback_must_be_a_function');
                return false;
            }
            void this.outcome(card).then((outcome) => {
                // Outside the promise, so that what the callback throws is an error of the page.
                queueMicrotask(() => {
                    if (typeof outcome === 'string')
                        callback(null, outcome);
                    else
                        callback(outcome.code);
                });
            });
            return true;
        }
        /**
         * The same as {@link PaymentMethod.getDirectToken}, as a promise.
         * @throws DirectTokenError with the `code` the callback would get and the wrong `fields`
         */
        async createDirectToken(card) {
            const outcome = await this.outcome(card);
            if (typeof outcome === 'string')
                return outcome;
            throw outcome;
        }
        /** Whether a session is open, so that a token needs one request only. */
        isReady() {
            return this.deps.sessions.isReady();
        }
        /** The brand of a number or of its first digits, for `payment-method.sub-type`; or null. */
        brandOf(number) {
            return brandOf(cardNumber(number))?.name ?? null;
        }
        /** The fields that are missing or wrong, for hints while the shopper types. */
        validate(card) {
            return wrongFields(card);
        }
        /** Never rejects: the direct token, or why there is none. */
        async outcome(card) {
            try {
                return await depositCard(this.deps, { ...readCard(card), store: this.store });
            }
            catch (error) {
                return error instanceof DirectTokenError
                    ? error
                    : new DirectTokenError('credit_card_internal_error');
            }
        }
    }
    /** Where the vault is without `options.baseUrl`; the script tag sets its own directory. */
    PaymentMethod.baseUrl = '';

    /**
     * Where the vault is: the directory that the running script was loaded from, without the
     * `/v/<version>` of a release. Empty when it has no address, as an inline script or one of a page
     * that names an element `currentScript`.
     */
    function vaultOfScript() {
        const script = document.currentScript;
        return script instanceof HTMLScriptElement
            ? script.src.replace(/(\/v\/\d[^/]*)?\/[^/]*([?#].*)?$/, '')
            : '';
    }

    // Only known while the script runs for the first time.
    PaymentMethod.baseUrl = vaultOfScript();

    exports.PaymentMethod = PaymentMethod;

    return exports;

})({});
//# sourceMappingURL=payment.cofre.js.map
