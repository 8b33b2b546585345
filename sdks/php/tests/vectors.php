<?php

// Tests the common behaviour of all SDKs, defined in vectors.json.
declare(strict_types=1);

namespace Cofre\Merchant\Tests;

use Cofre\Merchant\Connection;
use Cofre\Merchant\ErrorDetail;
use Cofre\Merchant\FailureReason;
use Cofre\Merchant\Http\CurlTransport;
use Cofre\Merchant\Http\HttpRequest;
use Cofre\Merchant\Http\Transport;
use Cofre\Merchant\MerchantClient;
use Cofre\Merchant\MerchantError;
use Cofre\Merchant\Notification;
use Cofre\Merchant\OutcomeUnknown;
use Cofre\Merchant\Request\Card;
use Cofre\Merchant\Request\CardOwner;
use Cofre\Merchant\Request\CartItem;
use Cofre\Merchant\Request\Charge;
use Cofre\Merchant\Request\ChangeInterest;
use Cofre\Merchant\Request\CreatePaymentLink;
use Cofre\Merchant\Request\CreateRefund;
use Cofre\Merchant\Request\CreateTransaction;
use Cofre\Merchant\Request\Document;
use Cofre\Merchant\Request\ItemType;
use Cofre\Merchant\Request\Payer;
use Cofre\Merchant\Request\PaymentLinkQuery;
use Cofre\Merchant\Request\PaymentQuery;
use Cofre\Merchant\Request\PaymentSearch;
use Cofre\Merchant\Request\RefundQuery;
use Cofre\Merchant\Request\SaveCard;
use Cofre\Merchant\Request\SavedCardSearch;
use Cofre\Merchant\Request\SearchQuery;
use Cofre\Merchant\Request\ThreeDSecure;
use Cofre\Merchant\RequestSigner;
use Cofre\Merchant\Response\FoundTransaction;
use Cofre\Merchant\SandboxClient;
use Cofre\Merchant\SignatureForm;
use Cofre\Merchant\SignedParts;

require __DIR__ . '/scripted.php';

const SECRET = 'segredo-çã-0123';

$vectors = json_decode(file_get_contents(__DIR__ . '/../../vectors.json'), true, 512, JSON_THROW_ON_ERROR);

$connect = static fn (Transport $transport, mixed ...$options): Connection => new Connection(...$options + [
    'baseUrl' => 'https://api.shop.example',
    'storeId' => 'store-1',
    'secret' => SECRET,
    'transport' => $transport,
    'machine' => new ScriptedMachine(),
]);

test('base URLs are origins', static function () use ($vectors, $connect): void {
    foreach ($vectors['origins']['accepted'] as [$given, $origin]) {
        $transport = new ScriptedTransport([['status' => 404, 'body' => '']]);
        $client = new MerchantClient($connect($transport, baseUrl: $given));
        thrown(MerchantError::class, static fn () => $client->findTransaction('1'));
        same($transport->requests[0]->uri, "$origin/transactions/1", $given);
    }
    foreach ($vectors['origins']['refused'] as $given) {
        thrown(\InvalidArgumentException::class, static fn () => $connect(new ScriptedTransport([]), baseUrl: $given));
    }
});

test('requests are signed by the specification', static function () use ($vectors): void {
    foreach ($vectors['requestSignatures'] as $vector) {
        $signed = RequestSigner::authorization($vector['storeId'], $vector['secret'], $vector['target'], $vector['body']);
        same($signed, $vector['authorization'], $vector['name']);
    }
});

test('requests are signed by RFC 9421', static function () use ($vectors): void {
    foreach ($vectors['messageSignatures'] as $vector) {
        $parts = new SignedParts(
            $vector['method'],
            $vector['uri'],
            $vector['body'],
            $vector['idempotencyKey'],
            $vector['created'],
            $vector['nonce'],
        );
        $signed = RequestSigner::messageSignature($vector['storeId'], $vector['secret'], $parts);
        same(array_change_key_case($signed), $vector['headers'], $vector['name']);
    }
});

test('notifications are verified', static function () use ($vectors): void {
    foreach ($vectors['notifications'] as $vector) {
        $titled = $server = $lists = [];
        foreach ($vector['headers'] as $name => $value) {
            $titled[ucwords($name, '-')] = $value;
            $lists[$name] = [$value];
            $server[($name === 'content-type' ? '' : 'HTTP_') . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        foreach ([$vector['headers'], $titled, $lists, $server + ['argv' => ['x']]] as $headers) {
            $verified = Notification::verify(
                $headers,
                $vector['body'],
                $vector['secret'],
                $vector['toleranceSeconds'] ?? 300,
                new \DateTimeImmutable('@' . $vector['now']),
            );
            $read = $verified === null ? null : array_filter((array) $verified, static fn ($value) => $value !== null);
            same($read, $vector['notification'], $vector['name']);
        }
    }
});

test('an empty secret verifies nothing', static function (): void {
    thrown(\InvalidArgumentException::class, static fn () => Notification::verify([], '', ''));
});

test('errors of any shape are read', static function () use ($vectors, $connect): void {
    foreach ($vectors['errors'] as $vector) {
        $transport = new ScriptedTransport([['status' => $vector['status'], 'body' => $vector['body']]]);
        $client = new MerchantClient($connect($transport, retryBudgetSeconds: 0.0));
        $error = thrown(MerchantError::class, static fn () => $client->findTransaction('1'));
        same($error->status, $vector['status'], $vector['name']);
        $read = array_map(static function (ErrorDetail $detail): array {
            $members = array_filter((array) $detail, static fn ($value) => $value !== null && $value !== []);
            return isset($members['docUrl']) ? array_diff_key($members, ['docUrl' => 0]) + ['doc_url' => $members['docUrl']] : $members;
        }, $error->errors);
        same(ksorted($read), ksorted($vector['errors']), $vector['name']);
        same($error->getCode(), $vector['errors'][0]['code'] ?? 0, $vector['name']);
        same($error->property, $vector['errors'][0]['property'] ?? null, $vector['name']);
    }
});

test('creations are repeated until their outcome is known', static function () use ($vectors, $connect): void {
    foreach ($vectors['exchanges'] as $vector) {
        $transport = new ScriptedTransport($vector['answers']);
        $machine = new ScriptedMachine();
        $budget = (float) $vector['retryBudgetSeconds'];
        $secret = static fn (): string => $transport->failsNextAs('secret') ? throw new \LogicException('no secret') : SECRET;
        $options = ['machine' => $machine, 'retryBudgetSeconds' => $budget, 'secret' => $secret];
        $client = new MerchantClient($connect($transport, ...$options));
        try {
            $outcome = ['created' => $client->createTransaction($vectors['order'])->code];
        } catch (OutcomeUnknown $unknown) {
            same($unknown->reference, 'order-1');
            $cause = $unknown->getPrevious()?->getPrevious();
            $outcome = ['unknown' => ['reason' => $unknown->reason->value, 'status' => $unknown->status]
                + ($cause instanceof \LogicException ? ['cause' => $cause->getMessage()] : [])];
        } catch (MerchantError $error) {
            $outcome = ['refused' => ['status' => $error->status, 'code' => $error->getCode() ?: null]];
        } catch (\LogicException $thrown) {
            $outcome = ['thrown' => $thrown->getMessage()];
        }
        same($outcome, $vector['outcome'], $vector['name']);
        same($machine->waits, array_map(floatval(...), $vector['waits']), $vector['name']);
        $sent = count(array_filter($vector['answers'], static fn (array $answer) => ($answer['failure'] ?? '') !== 'secret'));
        same(count($transport->requests), $sent, $vector['name']);
        same(count(array_unique(array_column($transport->headers(), 'idempotency-key'))), min(1, $sent), $vector['name']);
        same(count(array_unique(array_column($transport->requests, 'body'))), min(1, $sent), $vector['name']);
        same(count(array_unique(array_column($transport->headers(), 'signature-input'))), $sent, $vector['name']);
    }
});

test('a search yields page after page', static function () use ($vectors, $connect): void {
    foreach ($vectors['pages'] as $vector) {
        $answers = array_map(static fn (array $body) => ['status' => 200, 'body' => json_encode($body)], $vector['bodies']);
        $transport = new ScriptedTransport($answers);
        $pages = (new MerchantClient($connect($transport)))->allTransactions(new SearchQuery(status: 'COMPLETE'));
        $found = iterator_to_array($pages, false);
        same(array_column($found, 'code'), $vector['codes'], $vector['name']);
        same(array_map(static fn (FoundTransaction $one) => $one->digitableLine, $found), $vector['lines'], $vector['name']);
        same(count($transport->requests), count($answers), $vector['name']);
        foreach ($transport->requests as $at => $request) {
            parse_str((string) parse_url($request->uri, PHP_URL_QUERY), $query);
            same($query, ['page' => (string) ($at + 1), 'status' => 'COMPLETE'], $vector['name']);
        }
    }
});

test('payment links are made, found, listed and revoked', static function () use ($vectors, $connect): void {
    $vector = $vectors['paymentLinks'];
    $bodies = [$vector['found'], $vector['found'], ...$vector['pages'], $vector['pages'][0], $vector['revoked']];
    $transport = new ScriptedTransport(array_map(static fn (array $body) => ['status' => 200, 'body' => json_encode($body)], $bodies));
    $client = new MerchantClient($connect($transport));
    $made = $client->createPaymentLink(new CreatePaymentLink(
        amount: '42.50',
        description: 'Café',
        methods: ['credit-card'],
        notificationUrl: 'https://shop.example/notifications',
        reference: 'link-1',
        usage: 'once',
        installments: 3,
        expiresAt: new \DateTimeImmutable('2026-12-01T12:00:00Z'),
        successUrl: 'https://shop.example/thanks',
        metadata: ['campaign' => 'november', '7' => 'x'],
        capture: false,
    ));
    same($made->url, $vector['found']['payment-link']['url']);
    same([$made->amount, $made->capture], ['42.50', false]);
    same(ksorted(json_decode((string) $transport->requests[0]->body, true)), ksorted($vector['request']));
    $code = $vector['codes'][0];
    same($client->findPaymentLink($code)->tries[0]->status, 'COMPLETE');
    $listed = iterator_to_array($client->allPaymentLinks(new PaymentLinkQuery(status: 'PAYABLE')), false);
    same(array_column($listed, 'code'), $vector['codes']);
    same($client->listPaymentLinks()->found, 3);
    $revoked = $client->revokePaymentLink($code);
    same([$revoked->status, $revoked->capture], ['REVOKED', null]);
    same((string) $transport->requests[5]->body, '{}');
    same(array_map(static fn ($request) => str_replace('https://api.shop.example', '', $request->uri), $transport->requests), [
        '/payment-links',
        "/payment-links/$code",
        '/payment-links?page=1&status=PAYABLE',
        '/payment-links?page=2&status=PAYABLE',
        '/payment-links',
        "/payment-links/$code/revocations",
    ]);
});

$payments = static function (array $bodies) use ($connect): array {
    $answers = array_map(static fn (array $body) => isset($body['failure']) ? $body : ['status' => 200, 'body' => json_encode($body)], $bodies);
    $transport = new ScriptedTransport($answers);
    return [new MerchantClient($connect($transport)), $transport];
};
$targets = static fn (ScriptedTransport $transport): array => array_map(
    static fn (HttpRequest $request) => str_replace('https://api.shop.example', '', $request->uri),
    $transport->requests,
);
$accepted = static fn (ScriptedTransport $transport): array => array_values(array_unique(array_column($transport->headers(), 'accept')));
const V2 = ['application/vnd.cofre.v2+json; charset=UTF-8'];

test('payments are found whole', static function () use ($vectors, $payments, $targets, $accepted): void {
    $vector = $vectors['payments'];
    $code = $vector['codes'][0];
    [$client, $transport] = $payments([$vector['card'], $vector['boleto']]);
    $found = $client->findPayment($code);
    same([$found->status, $found->chargedAmount, $found->refundedAmount], ['CHARGEBACK', '45.48', '10.10']);
    same([$found->payer?->document, $found->card?->bin, $found->card?->eci], ['52998224725', '41111111', '05']);
    same([$found->card?->liabilityShift, $found->card?->hasNetworkIds], [true, false]);
    same([$found->card?->acquirer?->nsu, $found->card?->acquirer?->account->id], ['674532', 'cielo-1']);
    same([$found->refunds[0]->id, $found->refunds[0]->chargedAmount], ['7', '10.81']);
    same(array_column($found->notifications, 'refundId'), [null, '7']);
    same(array_map(static fn ($dispute) => $dispute->amount, $found->disputes), [null, '42.50']);
    same([$found->settlements[0]->fee, $found->settlements[0]->datePaidOut], ['-0.45', '2026-12-21']);
    same([$found->bankCharge, $found->paymentCode], [null, null]);
    $boleto = $client->findPayment($code);
    same([$boleto->payer, $boleto->payerEmail, $boleto->card, $boleto->datePaid], [null, null, null, null]);
    same([$boleto->bankCharge?->account->name, $boleto->bankCharge?->dueDate], ['Inter', '2026-11-24']);
    same(array_map(static fn ($payment) => $payment->surplusStatus, $boleto->bankCharge->payments), ['KEPT', null]);
    same([$targets($transport), $accepted($transport)], [["/payments/$code", "/payments/$code"], V2]);
});

test('payments are listed page by page, beyond an empty page', static function () use ($vectors, $payments, $targets, $accepted): void {
    $vector = $vectors['payments'];
    [$client, $transport] = $payments([...$vector['pages'], $vector['pages'][0]]);
    $query = new PaymentQuery('COMPLETE', amount: '42.50', createdFrom: new \DateTimeImmutable('2026-11-01T12:00:00Z'));
    same(array_column(iterator_to_array($client->allPayments($query)), 'code'), $vector['codes']);
    same($client->listPayments()->nextCursor, $vector['cursors'][0]);
    $asked = ['amount' => '42.50', 'status' => 'COMPLETE', 'created-from' => '2026-11-01T12:00:00.000+00:00'];
    $queries = array_map(static function (string $target): array {
        parse_str((string) parse_url($target, PHP_URL_QUERY), $query);
        return $query;
    }, $targets($transport));
    $following = array_map(static fn (string $cursor) => $asked + ['cursor' => $cursor], $vector['cursors']);
    same(ksorted($queries), ksorted([$asked, ...$following, []]));
    same([$targets($transport)[3], $accepted($transport)], ['/payments', V2]);
});

test('payments of a payer are searched by a body, which is sent again after a lost answer', static function () use ($vectors, $payments, $targets): void {
    $vector = $vectors['payments'];
    [$client, $transport] = $payments([['failure' => 'time-out'], ...$vector['pages'], $vector['pages'][1]]);
    $search = new PaymentSearch(
        payerEmail: 'maria@example.com',
        payerDocument: '52998224725',
        status: 'COMPLETE',
        method: 'pix',
        amount: '42.50',
        createdFrom: new \DateTimeImmutable('2026-11-01T12:00:00Z'),
        limit: 2,
    );
    same(array_column(iterator_to_array($client->allPaymentsOfPayer($search)), 'code'), $vector['codes']);
    same($client->searchPayments($search)->payments, []);
    $asked = $vector['search'];
    $following = array_map(static fn (string $cursor) => $asked + ['cursor' => $cursor], $vector['cursors']);
    $sent = array_map(static fn (HttpRequest $request) => json_decode((string) $request->body, true), $transport->requests);
    same(ksorted($sent), ksorted([$asked, $asked, ...$following, $asked]));
    same(array_unique($targets($transport)), ['/payments/searches']);
    same(array_column($transport->headers(), 'idempotency-key'), []);
});

test('a payment is authorized, and listed until its capture', static function () use ($vectors, $payments, $targets): void {
    $vector = $vectors['payments']['authorized'];
    [$client, $transport] = $payments([$vector['created'], $vector['page']]);
    $charge = Charge::card('42.50', Card::token('a.b.c.d.e'), capture: false);
    $created = $client->createTransaction(['charge' => [$charge]] + $vectors['order']);
    $listed = $client->listPayments(new PaymentQuery('AUTHORIZED'))->payments[0];
    same([$created->status, $listed->status, $listed->capturedAmount], ['PENDING', 'AUTHORIZED', null]);
    $before = '2026-11-27T09:00:00-03:00';
    same([$created->captureBefore?->format('c'), $listed->captureBefore?->format('c')], [$before, $before]);
    $sent = json_decode((string) $transport->requests[0]->body, true)['charge'];
    same(ksorted($sent), ksorted([$vector['charge']]));
    same($targets($transport), ['/transactions', '/payments?status=AUTHORIZED']);
    $atOnce = Charge::card('42.50', Card::token('a.b.c.d.e'), capture: true);
    same(array_keys($atOnce->jsonSerialize()['payment-info']), ['installments', 'token']);
});

test('a payment is captured under the same key again', static function () use ($vectors, $payments, $targets): void {
    foreach ([[[], '{}'], [['amount' => '40.10'], '{"amount":40.1}']] as [$amount, $body]) {
        [$client, $transport] = $payments([['failure' => 'time-out'], $vectors['payments']['authorized']['captured']]);
        $captured = $client->capturePayment('1', ...$amount, idempotencyKey: 'end-1');
        same([$captured->result, $captured->payment->status], ['captured', 'COMPLETE']);
        same([$captured->payment->capturedAmount, $captured->payment->captureBefore], ['40.10', null]);
        same($targets($transport), ['/payments/1/capture', '/payments/1/capture']);
        same(array_column($transport->requests, 'body'), [$body, $body]);
        same(array_column($transport->headers(), 'idempotency-key'), ['end-1', 'end-1']);
    }
});

test('a payment is cancelled under the same key again', static function () use ($vectors, $payments, $targets): void {
    [$client, $transport] = $payments([['failure' => 'time-out'], $vectors['payments']['cancelled']]);
    $cancelled = $client->cancelPayment('1', 'end-1');
    same([$cancelled->result, $cancelled->payment->status], ['cancelled', 'CANCELLED']);
    same($targets($transport), ['/payments/1/cancellation', '/payments/1/cancellation']);
    same(array_column($transport->requests, 'body'), ['{}', '{}']);
    same(array_column($transport->headers(), 'idempotency-key'), ['end-1', 'end-1']);
});

test('saved cards are saved, found and deleted', static function () use ($vectors, $payments, $targets): void {
    $vector = $vectors['savedCards'];
    $answers = [['failure' => 'time-out'], $vector['saved'], $vector['declined'], ...$vector['pages'], $vector['found']];
    [$client, $transport] = $payments([...$answers, $vector['found']]);
    ['token' => $token, 'payer' => $payer] = $vector['request'];
    $document = Document::cpf($payer['document']['number']);
    $card = new SaveCard($token, new CardOwner($payer['name'], $document, $payer['email'], $payer['ip']));
    $saved = $client->saveCard($card, 'save-1');
    same([$saved->savedCard?->brand, $saved->savedCard?->chargeable, $saved->decline], ['visa', true, null]);
    $declined = $client->saveCard($vector['request']);
    same([$declined->savedCard, $declined->decline?->reason], [null, 'expired_card']);
    $found = iterator_to_array($client->allSavedCardsOfPayer(new SavedCardSearch($payer['email'], limit: 1)));
    same(array_column($found, 'chargeable'), [true, false]);
    $code = $found[0]->code;
    same([$client->findSavedCard($code)->chargeable, $client->deleteSavedCard($code)->chargeable], [false, false]);
    $read = ['/saved-cards/searches', '/saved-cards/searches', "/saved-cards/$code", "/saved-cards/$code/deletion"];
    same($targets($transport), ['/saved-cards', '/saved-cards', '/saved-cards', ...$read]);
    $sent = array_map(static fn (HttpRequest $request) => json_decode((string) $request->body, true), $transport->requests);
    $searched = ['payer-email' => $payer['email'], 'limit' => 1];
    $following = $searched + ['cursor' => $vector['pages'][0]['next-cursor']];
    $wanted = [$vector['request'], $vector['request'], $vector['request'], $searched, $following];
    same(ksorted(array_slice($sent, 0, 5)), ksorted($wanted));
});

test('refunds are listed page by page', static function () use ($vectors, $payments, $targets, $accepted): void {
    $vector = $vectors['payments'];
    [$client, $transport] = $payments([...$vector['refundPages'], $vector['refundPages'][1]]);
    $refunds = iterator_to_array($client->allRefunds(new RefundQuery(transactionCode: '1')));
    same(array_column($refunds, 'id'), $vector['refundIds']);
    same(array_map(static fn ($refund) => $refund->nature, $refunds), ['MED_FRAUDE', null]);
    same($client->listRefunds(new RefundQuery('PROCESSED'))->nextCursor, null);
    $first = '/refunds?transaction-code=1';
    same($targets($transport), [$first, "$first&cursor=1795350000000-8", '/refunds?status=PROCESSED']);
    same($accepted($transport), V2);
});

test('a page without a cursor, not even null, is refused', static function () use ($connect): void {
    $transport = new ScriptedTransport([['status' => 200, 'body' => '{"payments":[]}'], ['status' => 200, 'body' => '{"refunds":[]}']]);
    $client = new MerchantClient($connect($transport, retryBudgetSeconds: 0.0));
    foreach ([$client->listPayments(...), $client->listRefunds(...)] as $list) {
        same(thrown(MerchantError::class, $list)->reason, FailureReason::BrokenAnswer);
    }
});

test('interest is read, and changed from a time on', static function () use ($vectors, $connect): void {
    $vector = $vectors['interest'];
    $body = json_encode($vector['found']);
    $transport = new ScriptedTransport([['status' => 200, 'body' => $body], ['status' => 200, 'body' => $body]]);
    $client = new MerchantClient($connect($transport));
    same($client->findInterest()->usual->monthlyRatePercent, 2.99);
    $from = new \DateTimeImmutable('2026-12-01T12:00:00Z');
    [$ofBrand, $usual] = $client->changeInterest(new ChangeInterest('2.49', 3, brand: 'visa', from: $from))->changes;
    same([$ofBrand->brand, $ofBrand->terms?->interestFree], ['visa', 3]);
    same([$usual->brand, $usual->terms], [null, null]);
    $sent = json_decode((string) $transport->requests[1]->body, true);
    ksort($sent);
    $wanted = $vector['request'];
    ksort($wanted);
    same($sent, $wanted);
});

test('a typed order is the one of the API, however PHP prints numbers', static function () use ($vectors, $connect): void {
    $order = new CreateTransaction(
        reference: 'order-1',
        notificationUrl: 'https://shop.example/notifications',
        charge: Charge::pix('42.50'),
        payer: new Payer(
            name: 'Maria José da Conceição',
            email: 'maria@example.com',
            document: Document::cpf('52998224725'),
            birthDate: '1990-01-31',
            phoneNumber: '+5541988887777',
            ip: '203.0.113.7',
        ),
        cart: [new CartItem('Café', '42.90', ItemType::Digital)],
    );
    $transport = new ScriptedTransport($vectors['exchanges'][0]['answers']);
    $before = ini_set('serialize_precision', '17');
    (new MerchantClient($connect($transport)))->createTransaction($order);
    same(ini_set('serialize_precision', $before), '17');
    $sent = json_decode($transport->requests[0]->body, true);
    same(ksorted($sent), ksorted($vectors['order']));
    same(str_contains($transport->requests[0]->body, '42.9,'), true, 'number');
});

test('what has no reference is named by its key', static function () use ($vectors, $connect): void {
    $unnamed = $vectors['order'];
    unset($unnamed['transaction']['reference']);
    $refund = new CreateRefund('1', 'https://shop.example/notifications');
    foreach ($vectors['references'] as ['idempotencyKey' => $key, 'reference' => $reference]) {
        $transport = new ScriptedTransport(array_fill(0, 2, ['failure' => 'network']));
        $client = new MerchantClient($connect($transport, retryBudgetSeconds: 0.0));
        $creations = [
            static fn () => $client->createTransaction($unnamed, $key),
            static fn () => $client->createRefund($refund, $key),
        ];
        foreach ($creations as $create) {
            $unknown = thrown(OutcomeUnknown::class, $create);
            same([$unknown->reference, $unknown->idempotencyKey], [$reference, $key]);
        }
        [$order, $return] = array_map(static fn ($request) => json_decode($request->body, true), $transport->requests);
        same([$order['transaction']['reference'], $return['reference']], [$reference, $reference]);
    }
});

test('two refunds of one reference are two requests, each with its key', static function () use ($vectors, $connect): void {
    ['reference' => $reference, 'idempotencyKeys' => $keys] = $vectors['refundParts'];
    $answer = ['status' => 201, 'body' => json_encode(['refund-id' => '1'])];
    $transport = new ScriptedTransport([$answer, $answer]);
    $client = new MerchantClient($connect($transport));
    $refund = new CreateRefund('1', 'https://shop.example/notifications', reference: $reference);
    foreach ($keys as $key) {
        $client->createRefund($refund, $key);
    }
    same(array_column($transport->headers(), 'idempotency-key'), $keys);
    same($transport->requests[1]->body, $transport->requests[0]->body);
});

test('a creation without a reference is the same again with the key of its error', static function () use ($connect): void {
    $transport = new ScriptedTransport(array_fill(0, 2, ['failure' => 'network']));
    $client = new MerchantClient($connect($transport, retryBudgetSeconds: 0.0));
    $refund = new CreateRefund('1', 'https://shop.example/notifications');
    $first = thrown(OutcomeUnknown::class, static fn () => $client->createRefund($refund));
    $again = thrown(OutcomeUnknown::class, static fn () => $client->createRefund($refund, $first->idempotencyKey));
    same($again->reference, $first->reference);
    same($transport->requests[1]->body, $transport->requests[0]->body);
});

test('an error explains what to do', static function () use ($vectors, $connect): void {
    $vector = $vectors['errors'][0];
    $client = new MerchantClient($connect(new ScriptedTransport([['status' => 400, 'body' => $vector['body']]])));
    $error = thrown(MerchantError::class, static fn () => $client->binLookup('411111'));
    $first = $vector['errors'][0];
    same(str_contains($error->getMessage(), "210318 {$first['description']}: {$first['message']}"), true, $error->getMessage());
    same($error->docUrl, $first['doc_url']);
});

test('the origin that is signed may be another', static function () use ($connect): void {
    $signatures = [];
    foreach ([['baseUrl' => 'http://cofre:8080', 'signedOrigin' => 'https://api.shop.example'], []] as $options) {
        $transport = new ScriptedTransport([['status' => 404, 'body' => '']]);
        $client = new MerchantClient($connect($transport, ...$options));
        thrown(MerchantError::class, static fn () => $client->findTransaction('1'));
        $signatures[$transport->requests[0]->uri] = $transport->headers()[0]['signature'];
    }
    same(array_keys($signatures), ['http://cofre:8080/transactions/1', 'https://api.shop.example/transactions/1']);
    same(count(array_unique($signatures)), 1);
});

test('a control of the sandbox is never sent twice', static function () use ($connect): void {
    $transport = new ScriptedTransport([['failure' => 'time-out']]);
    $error = thrown(MerchantError::class, static fn () => (new SandboxClient($connect($transport)))->advanceClock(60));
    same([$error->reason, count($transport->requests)], [FailureReason::TimeOut, 1]);
});

test('a lookup that is lost has no unknown outcome', static function () use ($connect): void {
    $transport = new ScriptedTransport([['failure' => 'network'], ['failure' => 'network']]);
    $client = new MerchantClient($connect($transport, retryBudgetSeconds: 0.5));
    thrown(MerchantError::class, static fn () => $client->binLookup('411111'));
    same(count($transport->requests), 2);
});

test('a rotated secret counts at once', static function () use ($connect): void {
    $transport = new ScriptedTransport(array_fill(0, 2, ['status' => 404, 'body' => '']));
    $secrets = ['before', 'after'];
    $secret = static function () use (&$secrets): string {
        return array_shift($secrets);
    };
    $client = new MerchantClient($connect($transport, secret: $secret, signature: SignatureForm::Specification));
    foreach (['before', 'after'] as $at => $used) {
        thrown(MerchantError::class, static fn () => $client->findTransaction('1'));
        same($transport->headers()[$at]['authorization'], RequestSigner::authorization('store-1', $used, '/transactions/1', null));
    }
});

test('no secret and no card is printed', static function () use ($connect): void {
    $card = Card::token('eyJhbGciOiJFQ0RILUVTIn0..segredo.do.cliente');
    $connection = $connect(new ScriptedTransport([]));
    $details = ErrorDetail::readAll(['errors' => [['code' => 1, 'description' => 'bad ..segredo.do.cliente']]]);
    $error = new MerchantError(FailureReason::Refused, 400, $details);
    $printed = print_r([$connection, $card, Charge::card('1.00', $card)], true) . $error->getMessage();
    same(str_contains($printed, 'segredo'), false, $printed);
    thrown(\LogicException::class, static fn () => serialize($connection));
});

test('what an unknown outcome prints has neither number nor code of a card', static function () use ($connect): void {
    $before = ini_set('zend.exception_ignore_args', '0');
    $card = Card::raw('4111111111111111', '987', '2030-12');
    $order = new CreateTransaction(
        notificationUrl: 'https://shop.example/notifications',
        charge: Charge::card('1.00', $card, threeDSecure: new ThreeDSecure('2.2.0', '05', 'AAABBBCCC')),
        payer: new Payer('Maria da Silva', 'maria@example.com', Document::cpf('52998224725')),
        cart: [new CartItem('Café', '1.00', ItemType::Digital)],
    );
    $plain = json_decode(json_encode($order), true);
    $broken = ['payer' => ['name' => "\xff"]] + $plain;
    $client = new MerchantClient($connect(new CurlTransport(), baseUrl: 'http://127.0.0.1:1', retryBudgetSeconds: 0.0));
    $dump = static function (#[\SensitiveParameter] CreateTransaction|array $order) use ($client): string {
        try {
            return $client->createTransaction($order)->code;
        } catch (OutcomeUnknown | \InvalidArgumentException $failure) {
            return print_r($failure, true);
        }
    };
    $printed = $dump($order) . $dump($plain) . $dump($broken) . print_r([
        new ThreeDSecure('2.2.0', '05', 'AAABBBCCC'),
        new HttpRequest('POST', 'https://api.shop.example/', [], '987', 1.0),
    ], true);
    ini_set('zend.exception_ignore_args', $before);
    foreach (['4111111111111111', '987', 'AAABBBCCC', SECRET] as $secret) {
        same(str_contains($printed, $secret), false, "$secret in $printed");
    }
});

test('an amount is a number of reais', static function () use ($vectors): void {
    foreach ($vectors['amounts']['accepted'] as [$text, $number]) {
        same(json_encode(Charge::pix($text)->jsonSerialize()['amount']->jsonSerialize()), $number, $text);
    }
    foreach ($vectors['amounts']['refused'] as $text) {
        thrown(\InvalidArgumentException::class, static fn () => Charge::pix($text));
    }
    thrown(\TypeError::class, static fn () => Charge::pix(42.5));
});

/**
 * @param array<array-key, mixed> $array
 * @return array<array-key, mixed>
 */
function ksorted(array $array): array
{
    if (!array_is_list($array)) {
        ksort($array);
    }
    return array_map(static fn (mixed $value) => is_array($value) ? ksorted($value) : $value, $array);
}
