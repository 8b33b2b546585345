<?php

// A shop against a running sandbox: COFRE_API, COFRE_STORE_ID and COFRE_SECRET have its address and the store.
declare(strict_types=1);

namespace Cofre\Merchant\Tests;

use Cofre\Merchant\Connection;
use Cofre\Merchant\EventType;
use Cofre\Merchant\FailureReason;
use Cofre\Merchant\Http\Psr18Transport;
use Cofre\Merchant\MerchantClient;
use Cofre\Merchant\MerchantError;
use Cofre\Merchant\Notification;
use Cofre\Merchant\OutcomeUnknown;
use Cofre\Merchant\Request\Address;
use Cofre\Merchant\Request\Card;
use Cofre\Merchant\Request\CartItem;
use Cofre\Merchant\Request\ChangeEventEndpoint;
use Cofre\Merchant\Request\Charge;
use Cofre\Merchant\Request\CreateEventEndpoint;
use Cofre\Merchant\Request\CreateRefund;
use Cofre\Merchant\Request\CreateTransaction;
use Cofre\Merchant\Request\Document;
use Cofre\Merchant\Request\EventQuery;
use Cofre\Merchant\Request\ItemType;
use Cofre\Merchant\Request\Payer;
use Cofre\Merchant\Request\PaymentQuery;
use Cofre\Merchant\Request\PaymentSearch;
use Cofre\Merchant\Request\RefundQuery;
use Cofre\Merchant\Request\SearchQuery;
use Cofre\Merchant\SandboxClient;
use Cofre\Merchant\SignatureForm;
use Cofre\Merchant\TransactionStatus;
use Cofre\Merchant\VerifiedEvent;

const SAVED_CARD = 'SANDBOXSAVEDCARD0000000000000001';
// Refuses at once: a failed name lookup would delay the other notifications.
const NOBODY = 'http://127.0.0.1:1/';

$connect = static fn (mixed ...$options): Connection => new Connection(...$options + [
    'baseUrl' => getenv('COFRE_API'),
    'storeId' => getenv('COFRE_STORE_ID'),
    'secret' => getenv('COFRE_SECRET'),
    'retryBudgetSeconds' => 10.0,
]);
$cofre = new MerchantClient($connect());
$sandbox = new SandboxClient($connect());

$order = static fn (Charge $charge, string $price, mixed ...$options): CreateTransaction => new CreateTransaction(...$options + [
    'notificationUrl' => NOBODY,
    'charge' => $charge,
    'payer' => new Payer(
        name: 'Maria da Silva',
        email: 'maria.php@example.com',
        document: Document::cpf('52998224725'),
        birthDate: '1990-01-31',
        phoneNumber: '+5541988887777',
        ip: '203.0.113.7',
        address: new Address('Rua XV de Novembro', '100', 'Centro', 'Curitiba', 'PR', '80020310'),
    ),
    'cart' => [new CartItem('Café', $price, ItemType::Digital)],
]);

test('an order is paid, found and refunded', static function () use ($cofre, $sandbox, $order): void {
    $begun = new \DateTimeImmutable('-1 minute');
    $created = $cofre->createTransaction($order(Charge::pix('42.50'), '42.50'));
    same([$created->status, $created->amount], ['PENDING', '42.50']);
    same(str_contains((string) $created->paymentCode, 'br.gov.bcb.pix'), true, 'payment code');
    same($sandbox->setStatus($created->code, TransactionStatus::COMPLETE), 'COMPLETE');
    $found = $cofre->findTransaction($created->code);
    same([$found->status, $found->amount, $found->refundable], ['COMPLETE', '42.50', true]);
    $refundId = $cofre->createRefund(new CreateRefund($created->code, NOBODY, '10.10', 'return-slow'));
    same($sandbox->finishRefund($refundId, 'PROCESSED'), 'PROCESSED');
    $other = $cofre->createTransaction($order(Charge::boleto('10.00'), '10.00'));
    $orders = [];
    foreach ($cofre->allTransactions(new SearchQuery(initialOrderDate: $begun, maxPageResults: 1)) as $each) {
        $orders[$each->code] = $each;
    }
    same($orders[$other->code]->reference, $other->reference);
    [$refund] = $orders[$created->code]->refunds;
    same([$refund->id, $refund->amount, $refund->status], [$refundId, '10.10', 'PROCESSED']);
});

test('payments are read whole, listed, searched and cancelled', static function () use ($cofre, $sandbox, $order): void {
    $email = 'php.' . bin2hex(random_bytes(8)) . '@example.com';
    $payer = new Payer('Maria da Silva', $email, Document::cpf('52998224725'), '1990-01-31', '+5541988887777', '203.0.113.7', new Address('Rua XV de Novembro', '100', 'Centro', 'Curitiba', 'PR', '80020310'));
    $begun = new \DateTimeImmutable('-1 minute');
    $paid = $cofre->createTransaction($order(Charge::pix('42.50'), '42.50', payer: $payer));
    $sandbox->setStatus($paid->code, TransactionStatus::COMPLETE);
    $refundId = $cofre->createRefund(new CreateRefund($paid->code, NOBODY, '10.10', 'return-slow'));
    $sandbox->finishRefund($refundId, 'PROCESSED');
    $byCard = $cofre->createTransaction($order(Charge::card('20.00', Card::saved(SAVED_CARD), installments: 2), '20.00', payer: $payer));
    $waiting = $cofre->createTransaction($order(Charge::boleto('10.00'), '10.00', payer: $payer));
    $own = [$waiting->code, $byCard->code, $paid->code];

    $found = $cofre->findPayment($paid->code);
    same([$found->status, $found->method, $found->refundedAmount], ['REFUNDED', 'pix', '10.10']);
    same([$found->payer?->email, $found->paymentCode], [$email, $paid->paymentCode]);
    same(array_column($found->refunds, 'id'), [$refundId]);
    same($cofre->findPayment($byCard->code)->card?->brand, 'visa');
    $error = thrown(MerchantError::class, static fn () => $cofre->findPayment('1'));
    same([$error->status, $error->getCode()], [404, 20614]);

    $codes = array_column(iterator_to_array($cofre->allPayments(new PaymentQuery(createdFrom: $begun, limit: 1))), 'code');
    same(array_values(array_intersect($codes, $own)), $own);
    same($cofre->listPayments(new PaymentQuery(reference: $waiting->reference))->payments[0]->code, $waiting->code);
    $refunds = iterator_to_array($cofre->allRefunds(new RefundQuery(transactionCode: $paid->code, limit: 1)));
    same([array_column($refunds, 'id'), array_column($refunds, 'amount')], [[$refundId], ['10.10']]);

    // The index follows payments within seconds.
    $search = new PaymentSearch($email, '52998224725', limit: 1);
    $deadline = hrtime(true) + 30_000_000_000;
    do {
        $ofPayer = array_column(iterator_to_array($cofre->allPaymentsOfPayer($search)), 'code');
        usleep(100_000);
    } while (count($ofPayer) < 3 && hrtime(true) < $deadline);
    same($ofPayer, $own);

    $cancelled = $cofre->cancelPayment($waiting->code);
    same([$cancelled->result, $cancelled->payment->status], ['cancelled', 'CANCELLED']);
    same($cofre->cancelPayment($waiting->code)->result, 'cancelled');
    same($cofre->cancelPayment($paid->code)->result, 'paid-meanwhile');
    $expired = $cofre->createTransaction($order(Charge::pix('1.00'), '1.00', payer: $payer));
    $sandbox->setStatus($expired->code, TransactionStatus::EXPIRED);
    $error = thrown(MerchantError::class, static fn () => $cofre->cancelPayment($expired->code));
    same([$error->status, $error->getCode()], [409, 90601]);
});

test('an authorized card is captured in part, or cancelled', static function () use ($cofre, $order): void {
    $charge = Charge::card('20.00', Card::saved(SAVED_CARD), capture: false);
    $first = $cofre->createTransaction($order($charge, '20.00'));
    $second = $cofre->createTransaction($order($charge, '20.00'));
    same($first->status, 'PENDING');
    $listed = $cofre->listPayments(new PaymentQuery(TransactionStatus::AUTHORIZED, reference: $first->reference))->payments[0];
    same($listed->captureBefore?->format('c'), $first->captureBefore?->format('c'));
    $captured = $cofre->capturePayment($first->code, '15.10');
    same([$captured->result, $captured->payment->capturedAmount], ['captured', '15.10']);
    same($cofre->capturePayment($first->code, '15.10')->payment->capturedAmount, '15.10');
    $error = thrown(MerchantError::class, static fn () => $cofre->capturePayment($first->code));
    same([$error->status, $error->getCode()], [409, 90633]);
    same($cofre->cancelPayment($second->code)->payment->status, 'CANCELLED');
});

test('a saved card pays in installments', static function () use ($cofre, $order): void {
    $lookup = $cofre->cardLookup('411111', '20.00');
    same((array) $lookup->bin, (array) $cofre->binLookup('411111'));
    same(array_column($lookup->installments, 'totalAmount'), array_column($cofre->installments('visa', 20), 'totalAmount'));
    $charge = Charge::card('20.00', Card::saved(SAVED_CARD), installments: 2);
    same($cofre->createTransaction($order($charge, '20.00'))->status, 'PAID');
    $plain = Charge::card('20.00', Card::saved(SAVED_CARD, '737'));
    $error = thrown(MerchantError::class, static fn () => $cofre->createTransaction($order($plain, '20.00')));
    same($error->getCode(), 90402);
});

test('the same order again is the first one', static function () use ($cofre, $order): void {
    $same = $order(Charge::pix('1.00'), '1.00', reference: 'php-' . getmypid() . '-' . hrtime(true));
    $first = $cofre->createTransaction($same, $same->reference);
    same($cofre->createTransaction($same, $same->reference)->code, $first->code);
    same($cofre->findByReference($first->reference)?->code, $first->code);
    same($cofre->findByReference('nothing-is-called-so'), null);
    $error = thrown(MerchantError::class, static fn () => $cofre->createTransaction($same));
    same([$error->status, $error->getCode()], [409, 210104]);
});

test('a refusal names code, property and cure', static function () use ($cofre, $order): void {
    $wrong = new Payer('Maria da Silva', 'a@example.com', Document::cpf('1'), ip: '::1');
    $error = thrown(
        MerchantError::class,
        static fn () => $cofre->createTransaction($order(Charge::pix('1.00'), '1.00', payer: $wrong)),
    );
    same([$error->getCode(), $error->property], [210318, 'payer.document.number']);
    same(str_contains((string) $error->errors[0]->message, 'CPF'), true, 'message');
    same(str_ends_with((string) $error->docUrl, '/docs/errors#210318'), true, (string) $error->docUrl);
});

test('a wrong secret is refused', static function () use ($connect, $order): void {
    $stranger = new MerchantClient($connect(secret: 'another secret'));
    $error = thrown(MerchantError::class, static fn () => $stranger->createTransaction($order(Charge::pix('1.00'), '1.00')));
    same($error->getCode(), 10003);
});

test('the clock returns the sandbox’s time', static function () use ($sandbox): void {
    same($sandbox->clock()->now->getTimestamp() >= time() - 60, true, 'now');
});

test('a gateway that is not there leaves the outcome unknown', static function () use ($connect, $order): void {
    $nobody = new MerchantClient($connect(baseUrl: 'http://127.0.0.1:1', retryBudgetSeconds: 0.0));
    $unknown = thrown(OutcomeUnknown::class, static fn () => $nobody->createTransaction($order(Charge::pix('1.00'), '1.00')));
    same($unknown->reason, FailureReason::Network);
});

/** Accepts one message, and responds 200. */
$arrived = static function ($receiver): array {
    $arrived = stream_socket_accept($receiver, 30);
    same(trim((string) fgets($arrived)), 'POST / HTTP/1.1');
    $headers = [];
    while (($line = trim((string) fgets($arrived))) !== '') {
        [$name, $value] = explode(':', $line, 2);
        $headers[$name] = trim($value);
    }
    $body = stream_get_contents($arrived, (int) array_change_key_case($headers)['content-length']);
    fwrite($arrived, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    fclose($arrived);
    return [$headers, $body];
};

test('a notification of the sandbox is verified', static function () use ($cofre, $sandbox, $order, $arrived): void {
    $receiver = stream_socket_server('tcp://127.0.0.1:0');
    $url = 'http://' . stream_socket_get_name($receiver, false) . '/';
    $created = $cofre->createTransaction($order(Charge::pix('1.00'), '1.00', notificationUrl: $url));
    $sandbox->setStatus($created->code, TransactionStatus::COMPLETE);
    [$headers, $body] = $arrived($receiver);
    $verified = Notification::verify($headers, $body, getenv('COFRE_SECRET'));
    same([$verified?->transactionCode, $verified?->refundId], [$created->code, null]);
    same(Notification::verify($headers, "$body&x=1", getenv('COFRE_SECRET')), null);
});

test('an event of the sandbox is verified, found and sent again', static function () use ($cofre, $sandbox, $order, $arrived): void {
    $receiver = stream_socket_server('tcp://127.0.0.1:0');
    $url = 'http://' . stream_socket_get_name($receiver, false) . '/';
    $made = $cofre->createEventEndpoint(new CreateEventEndpoint($url, [EventType::PAYMENT_COMPLETED]));
    $code = $made->endpoint->code;
    try {
        $created = $cofre->createTransaction($order(Charge::pix('1.00'), '1.00'));
        $sandbox->setStatus($created->code, TransactionStatus::COMPLETE);
        // Other tests complete payments of the same store meanwhile.
        do {
            $event = VerifiedEvent::verify(...[...$arrived($receiver), $made->secret]);
        } while ($event !== null && $event->data->payment?->code !== $created->code);
        same($event?->type, EventType::PAYMENT_COMPLETED);
        $query = new EventQuery(EventType::PAYMENT_COMPLETED, $created->code);
        same(array_column(iterator_to_array($cofre->allEvents($query)), 'code'), [$event->code]);
        $rotated = $cofre->rotateEventEndpointSecret($code);
        same($rotated->endpoint->previousSecretUntil === null, false);
        $cofre->sendEvent($event->code, $code);
        do {
            [$headers, $body] = $arrived($receiver);
        } while (!str_contains($body, $created->code));
        foreach ([$made->secret, $rotated->secret] as $secret) {
            same(VerifiedEvent::verify($headers, $body, $secret)?->code, $event->code);
        }
        same(array_column($cofre->findEvent($event->code)->deliveries, 'endpoint'), [$code]);
        same($cofre->changeEventEndpoint($code, new ChangeEventEndpoint(enabled: false))->enabled, false);
        same(in_array($code, array_column($cofre->listEventEndpoints(), 'code'), true), true);
        same($cofre->findEventEndpoint($code)->enabled, false);
    } finally {
        $cofre->deleteEventEndpoint($code);
    }
});

test('the signature of the specification is accepted too', static function () use ($connect, $order): void {
    $client = new MerchantClient($connect(signature: SignatureForm::Specification));
    $created = $client->createTransaction($order(Charge::boleto('10.00'), '10.00'));
    same($client->findTransaction($created->code)->status, 'PENDING');
});

test('a PSR-18 client carries the requests', static function () use ($connect, $order): void {
    // Debian's php-guzzlehttp-guzzle; without a client, this promise is not tested.
    $guzzle = '/usr/share/php/GuzzleHttp/autoload.php';
    if (!is_file($guzzle)) {
        echo "# skipped, for Guzzle is not installed:\n";
        return;
    }
    set_error_handler(null);
    require_once $guzzle;
    require_once '/usr/share/php/GuzzleHttp/Psr7/autoload.php';
    $factory = new \GuzzleHttp\Psr7\HttpFactory();
    $transport = new Psr18Transport(new \GuzzleHttp\Client(), $factory, $factory);
    $client = new MerchantClient($connect(transport: $transport));
    $created = $client->createTransaction($order(Charge::pix('1.00'), '1.00'));
    same($client->findTransaction($created->code)->status, 'PENDING');
    $nobody = new MerchantClient($connect(baseUrl: 'http://127.0.0.1:1', transport: $transport, retryBudgetSeconds: 0.0));
    thrown(OutcomeUnknown::class, static fn () => $nobody->createTransaction($order(Charge::pix('1.00'), '1.00')));
});

test('the blocks of the README are a program that runs', static function (): void {
    $guzzle = ['/usr/share/php/GuzzleHttp/autoload.php', '/usr/share/php/GuzzleHttp/Psr7/autoload.php'];
    $packages = is_file($guzzle[0]) ? $guzzle : [];
    preg_match_all('/^```php\n(.*?)^```$/ms', file_get_contents(__DIR__ . '/../README.md'), $blocks);
    $blocks = array_filter($blocks[1], static fn (string $block) => $packages !== [] || !str_contains($block, 'GuzzleHttp'));
    $notified = <<<'PHP'
        // A notification of another environment's transaction must not end the server.
        foreach ([$created->code, '12345678901234'] as $code) {
            $body = "transaction-code=$code&notification-type=transaction";
            $time = time();
            $mac = base64_encode(hash_hmac('sha256', "1.$time.$body", getenv('COFRE_SECRET'), true));
            $headers = ['webhook-id' => '1', 'webhook-timestamp' => "$time", 'webhook-signature' => "v1,$mac"];
            echo receive($cofre, $headers, $body), ' ', receive($cofre, $headers, "$body&x=1"), "\n";
        }
        $directToken = getenv('COFRE_DIRECT_TOKEN');
        echo $directToken === false ? 'no token' : (payByCard($cofre, $order, $directToken) ?? 'saved before'), "\n";
        PHP;
    $folder = sys_get_temp_dir() . '/cofre-readme-' . bin2hex(random_bytes(8));
    mkdir("$folder/vendor", recursive: true);
    $requires = array_map(static fn (string $file) => "require '$file';\n", [__DIR__ . '/autoload.php', ...$packages]);
    file_put_contents("$folder/vendor/autoload.php", "<?php\n" . implode($requires));
    file_put_contents("$folder/page.php", implode("\n", $blocks) . "\n$notified\n");
    try {
        exec('cd ' . escapeshellarg($folder) . ' && ' . escapeshellarg(PHP_BINARY) . ' page.php 2>&1', $printed, $status);
        same($status, 0, implode("\n", $printed));
        same(array_slice($printed, -3, 2), ['200 400', '200 400'], implode("\n", $printed));
        $cards = ['no token', 'saved before', 'SANDBOXSAVEDCARD0000000000000001'];
        same(in_array(end($printed), $cards, true), true, implode("\n", $printed));
    } finally {
        array_map(unlink(...), ["$folder/vendor/autoload.php", "$folder/page.php"]);
        array_map(rmdir(...), ["$folder/vendor", $folder]);
    }
});
