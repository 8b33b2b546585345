<?php

// A wrong call names the wrong argument before a request is sent; a lost one names the unreachable address. PHP checks
// the types.
declare(strict_types=1);

namespace Cofre\Merchant\Tests;

use Cofre\Merchant\ErrorDetail;
use Cofre\Merchant\FailureReason;
use Cofre\Merchant\Http\HttpRequest;
use Cofre\Merchant\Http\HttpResponse;
use Cofre\Merchant\Http\Transport;
use Cofre\Merchant\Http\TransportFailure;
use Cofre\Merchant\MerchantClient;
use Cofre\Merchant\MerchantError;
use Cofre\Merchant\OutcomeUnknown;
use Cofre\Merchant\Request\Card;
use Cofre\Merchant\Request\CartItem;
use Cofre\Merchant\Request\ChangeEventEndpoint;
use Cofre\Merchant\Request\ChangeInterest;
use Cofre\Merchant\Request\Charge;
use Cofre\Merchant\Request\CreateEventEndpoint;
use Cofre\Merchant\Request\CreatePaymentLink;
use Cofre\Merchant\Request\CreateRefund;
use Cofre\Merchant\Request\CreateTransaction;
use Cofre\Merchant\Request\Document;
use Cofre\Merchant\Request\EventQuery;
use Cofre\Merchant\Request\ItemType;
use Cofre\Merchant\Request\Payer;
use Cofre\Merchant\Request\PaymentLinkQuery;
use Cofre\Merchant\Request\PaymentQuery;
use Cofre\Merchant\Request\PaymentSearch;
use Cofre\Merchant\Request\RefundQuery;
use Cofre\Merchant\Request\SavedCardSearch;
use Cofre\Merchant\Request\SearchQuery;
use Cofre\Merchant\SandboxClient;

test('a wrong call names the argument', static function () use ($connect): void {
    $unsent = new ScriptedTransport([]);
    $cofre = new MerchantClient($connect($unsent));
    $sandbox = new SandboxClient($connect($unsent));
    $payer = new Payer('Maria da Silva', 'maria@example.com', Document::cpf('52998224725'));
    $invalid = [
        ['baseUrl must be an http', static fn () => $connect($unsent, baseUrl: '')],
        ['signedOrigin must be an http', static fn () => $connect($unsent, signedOrigin: 'shop.example')],
        ['storeId must not be empty', static fn () => $connect($unsent, storeId: '')],
        ['storeId must be visible ASCII characters without spaces', static fn () => $connect($unsent, storeId: "store-1\n")],
        ['storeId must be visible ASCII', static fn () => $connect($unsent, storeId: 'loja-é')],
        ['vendor must be visible ASCII', static fn () => $connect($unsent, vendor: "cofre\r\nX: 1")],
        ['idempotencyKey must be visible ASCII', static fn () => $cofre->createRefund(new CreateRefund('1'), "key\n")],
        ['secret must not be empty', static fn () => $connect($unsent, secret: '')],
        ['timeoutSeconds must be a number from 0', static fn () => $connect($unsent, timeoutSeconds: NAN)],
        ['retryBudgetSeconds must be a number from 0', static fn () => $connect($unsent, retryBudgetSeconds: -1.0)],
        ['language must be en, pt-BR, en-US, pt-PT, es-ES or tr-TR', static fn () => $connect($unsent, language: 'fr')],
        ['language must be pt-BR,', static fn () => new CreateTransaction('https://shop.example/', Charge::pix(1), $payer, [], language: 'en')],
        ['status must be PENDING,', static fn () => new SearchQuery(status: 'PAID')],
        ['status must be PAYABLE, PAID,', static fn () => new PaymentLinkQuery(status: 'COMPLETE')],
        ['testMode must be 0 or 1', static fn () => new CreateRefund('1', 'https://shop.example/', testMode: 2)],
        ['usage must be once or many', static fn () => new CreatePaymentLink(1, 'a', ['pix'], 'https://shop.example/', usage: 'twice')],
        ['language must be pt-BR,', static fn () => new CreatePaymentLink(1, 'a', ['pix'], 'https://shop.example/', language: 'fr')],
        ['status must be PENDING,', static fn () => $sandbox->setStatus('1', 'PAID')],
        ['outcome must be PROCESSED or REJECTED', static fn () => $sandbox->finishRefund('1', 'DONE')],
        ['secret() must not be empty', static fn () => (new MerchantClient($connect($unsent, secret: static fn () => '')))->binLookup('411111')],
        ['code must not be empty', static fn () => $cofre->findTransaction('')],
        ['reference must not be empty', static fn () => $cofre->findByReference('')],
        ['idempotencyKey must not be empty', static fn () => $cofre->createRefund(new CreateRefund('1', 'https://shop.example/'), '')],
        ['code must not be empty', static fn () => $cofre->findPayment('')],
        ['code must not be empty', static fn () => $cofre->capturePayment('')],
        ['amount must be written 42.50', static fn () => $cofre->capturePayment('1', '40,10')],
        ['code must not be empty', static fn () => $cofre->cancelPayment('')],
        ['idempotencyKey must not be empty', static fn () => $cofre->cancelPayment('1', '')],
        ['code must not be empty', static fn () => $cofre->findSavedCard('')],
        ['code must not be empty', static fn () => $cofre->deleteSavedCard('')],
        ['payerEmail must not be empty', static fn () => new SavedCardSearch('')],
        ['code must not be empty', static fn () => $cofre->findEvent('')],
        ['endpoint must not be empty', static fn () => $cofre->sendEvent('evt_1_1', '')],
        ['code must not be empty', static fn () => $cofre->findEventEndpoint('')],
        ['code must not be empty', static fn () => $cofre->deleteEventEndpoint('')],
        ['url must not be empty', static fn () => new CreateEventEndpoint('')],
        ['url must not be empty', static fn () => new ChangeEventEndpoint(url: '')],
        ['types must be payment.under-review,', static fn () => new ChangeEventEndpoint(types: ['payment.paid'])],
        ['type must be payment.under-review,', static fn () => new EventQuery('payment.paid')],
        ['status must be PENDING,', static fn () => new PaymentQuery(status: 'PAID')],
        ['method must be credit-card, pix,', static fn () => new PaymentQuery(method: 'card')],
        ['amount must be written 42.50', static fn () => new PaymentQuery(amount: '42,50')],
        ['status must be PENDING,', static fn () => new PaymentSearch('a@example.com', status: 'PAID')],
        ['method must be credit-card, pix,', static fn () => new PaymentSearch('a@example.com', method: 'card')],
        ['status must be PROCESSING,', static fn () => new RefundQuery('COMPLETE')],
        ['token must not be empty', static fn () => Card::token('')],
        ['unitPrice must be written 42.50', static fn () => new CartItem('Café', '42,50', ItemType::Digital)],
        ['amount must be written 42.50', static fn () => Charge::pix('42,50')],
    ];
    foreach ($invalid as [$begins, $call]) {
        same(str_starts_with(thrown(\InvalidArgumentException::class, $call)->getMessage(), $begins), true, $begins);
    }
    $wrong = [
        ["order['transaction'] must be an array", static fn () => $cofre->createTransaction([])],
        // Without an amount, the whole payment would be refunded.
        ["refund['amount'] must be a number above 0, not NAN", static fn () => $cofre->createRefund(['transaction-id' => '1', 'amount' => NAN])],
        ["refund['amount'] must not be null: leave it out", static fn () => $cofre->createRefund(['transaction-id' => '1', 'amount' => null])],
        ["refund['amount'] must be a number above 0, not an empty string", static fn () => $cofre->createRefund(['transaction-id' => '1', 'amount' => ''])],
        ["refund['amount'] must be a number above 0, not 0 or less", static fn () => $cofre->createRefund(['transaction-id' => '1', 'amount' => 0])],
        ["refund['ammount'] is not known. Known are transaction-id,", static fn () => $cofre->createRefund(['transaction-id' => '1', 'ammount' => 10])],
        ["refund['reference'] must be a string, not int", static fn () => $cofre->createRefund(['transaction-id' => '1', 'reference' => 7])],
        // With a new key, a retry would pay again.
        ["refund['idempotencyKey'] is not known. It is the argument \$idempotencyKey", static fn () => $cofre->createRefund(['idempotencyKey' => 'key'])],
        ["order['idempotencyKey'] is not known", static fn () => $cofre->createTransaction(['transaction' => [], 'idempotencyKey' => 'key'])],
        ["order['transaction']['idempotency_key'] is not known", static fn () => $cofre->createTransaction(['transaction' => ['idempotency_key' => 'key']])],
        ["order['charge'][1]['Idempotency-Key'] is not known", static fn () => $cofre->createTransaction(['transaction' => [], 'charge' => [[], ['Idempotency-Key' => 'key']]])],
        ["link['methods'][0]['IDEMPOTENCY_KEY'] is not known", static fn () => $cofre->createPaymentLink(['methods' => [['IDEMPOTENCY_KEY' => 'key']]])],
        ["order['reference'] is not known. It belongs into order['transaction']", static fn () => $cofre->createTransaction(['transaction' => [], 'reference' => 'a'])],
        ["order['transaction']['reference'] must be a string, not null", static fn () => $cofre->createTransaction(['transaction' => ['reference' => null]])],
        ["link['idempotency-key'] is not known", static fn () => $cofre->createPaymentLink(['idempotency-key' => 'key'])],
        // Without an end, it could be paid forever.
        ["link['expires-at'] must not be null", static fn () => $cofre->createPaymentLink(['expires-at' => null])],
        ["link['expire-at'] is not known. Known are amount,", static fn () => $cofre->createPaymentLink(['expire-at' => '2027'])],
        ["link['reference'] must be a string, not int", static fn () => $cofre->createPaymentLink(['reference' => 7])],
        // Without a brand, all brands would get these terms.
        ["change['brand'] must not be null", static fn () => $cofre->changeInterest(['brand' => null, 'usual' => true])],
        ["change['brand'] must be a string, not int", static fn () => $cofre->changeInterest(['brand' => 7, 'usual' => true])],
        ["change['from'] must not be null", static fn () => $cofre->changeInterest(['usual' => true, 'from' => null])],
        ["change['interest-free'] must not be null", static fn () => $cofre->changeInterest(['interest-free' => null])],
        ["refund['notify-url'] must not be null", static fn () => $cofre->createRefund(['transaction-id' => '1', 'notify-url' => null])],
        ["change['brnad'] is not known. Known are brand, from,", static fn () => $cofre->changeInterest(['brnad' => 'visa', 'usual' => true])],
        ["endpoint['url'] must be a string, not null", static fn () => $cofre->createEventEndpoint([])],
        ["endpoint['type'] is not known. Known are url,", static fn () => $cofre->createEventEndpoint(['type' => []])],
        ["change['types'] must not be null", static fn () => $cofre->changeEventEndpoint('ep_1', ['types' => null])],
        ['cart must be a list of CartItem, not null', static fn () => new CreateTransaction('https://shop.example/', Charge::pix(1), $payer, [null])],
    ];
    foreach ($wrong as [$begins, $call]) {
        same(str_starts_with(thrown(\TypeError::class, $call)->getMessage(), $begins), true, $begins);
    }
});

test('null is no way to leave out what would then be everything, every brand, at once or forever', static function () use ($connect): void {
    $cofre = new MerchantClient($connect(new ScriptedTransport([])));
    $link = ['amount' => 1, 'description' => 'a', 'methods' => ['pix']];
    $wrong = [
        ['$amount', static fn () => new CreateRefund('1', amount: null)],
        ['$amount', static fn () => $cofre->capturePayment('1', null)],
        ['$interestFree', static fn () => new ChangeInterest('2.49', interestFree: null)],
        ['$brand', static fn () => new ChangeInterest('2.49', brand: null)],
        ['$from', static fn () => new ChangeInterest('2.49', from: null)],
        ['$installments', static fn () => new CreatePaymentLink(...$link, installments: null)],
        ['$expiresAt', static fn () => new CreatePaymentLink(...$link, expiresAt: null)],
        ['$types', static fn () => new CreateEventEndpoint('https://shop.example/', types: null)],
        ['$enabled', static fn () => new ChangeEventEndpoint(enabled: null)],
    ];
    foreach ($wrong as [$argument, $call]) {
        same(str_contains(thrown(\TypeError::class, $call)->getMessage(), "($argument)"), true, $argument);
    }
});

test('the message of a refusal has one sentence after another', static function (): void {
    [$first, $second] = ErrorDetail::readAll(['errors' => [
        ['code' => 1, 'description' => 'key', 'message' => 'Not this. Send that.'],
        ['code' => 2, 'description' => 'key'],
    ]]);
    $refused = new MerchantError(FailureReason::Refused, 400, [$first, $second]);
    same($refused->getMessage(), 'the service answered 400, 1 key: Not this. Send that. 2 key');
    $unknown = new OutcomeUnknown('order-1', 'key', new MerchantError(FailureReason::Refused, 500, [$first]));
    same($unknown->getMessage(), 'the service answered 500: the outcome is unknown, 1 key: Not this. Send that.');
});

test('a call without an answer names origin and cause, and a doubt for creations alone', static function () use ($connect): void {
    $lost = new class implements Transport {
        public function send(HttpRequest $request): HttpResponse
        {
            throw new TransportFailure(reason: "Couldn't connect to server");
        }
    };
    $cofre = new MerchantClient($connect($lost, retryBudgetSeconds: 0.0));
    $said = "no answer from https://api.shop.example (network, Couldn't connect to server)";
    same(thrown(MerchantError::class, static fn () => $cofre->findTransaction('1'))->getMessage(), $said);
    $refund = static fn () => $cofre->createRefund(new CreateRefund('1', 'https://shop.example/'));
    same(thrown(OutcomeUnknown::class, $refund)->getMessage(), "$said: the outcome is unknown");
});

test('an answer that is not of the API names the address', static function () use ($connect): void {
    foreach ([[421, 'Misdirected'], [200, '<!doctype html>'], [200, '{"name":"another service"}']] as [$status, $body]) {
        $transport = new ScriptedTransport([['status' => $status, 'body' => $body]]);
        $cofre = new MerchantClient($connect($transport, retryBudgetSeconds: 0.0));
        $said = "https://api.shop.example answered $status, and that is no answer of Cofre's API: is the address right?";
        same(thrown(MerchantError::class, static fn () => $cofre->findTransaction('1'))->getMessage(), $said);
    }
});

test('an unknown field is warned of once, and an error handler that throws loses no answer', static function () use ($connect): void {
    $answer = ['status' => 201, 'headers' => ['cofre-unknown-fields' => 'foo, bar'], 'body' => '{"refund-id":"7"}'];
    $cofre = new MerchantClient($connect(new ScriptedTransport([$answer, $answer])));
    $warnings = [];
    set_error_handler(static function (int $level, string $message) use (&$warnings): never {
        $warnings[] = $message;
        throw new \ErrorException($message);
    });
    try {
        for ($i = 0; $i < 2; $i++) {
            same($cofre->createRefund(new CreateRefund('1', 'https://shop.example/')), '7');
        }
    } finally {
        restore_error_handler();
    }
    same($warnings, ['the service does not know the field foo', 'the service does not know the field bar']);
});
